package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// RouteQuery identifies the messages that a route is searched for.
type RouteQuery struct {
	Channel, Sender string
	OrganisationID  int64
}

// Routes finds the carriers of senders.
type Routes struct {
	pool  *pgxpool.Pool
	cache *db.Cache[RouteQuery, models.CarrierRoute]
}

// NewRoutes returns the routes of a database. Call it before listener.Run.
func NewRoutes(pool *pgxpool.Pool, listener *db.Listener) *Routes {
	const keep = 30 * time.Second
	return &Routes{pool, db.NewCache[RouteQuery, models.CarrierRoute](listener, keep, 10_000, "carriers", "carrier_routes", "organisations")}
}

// Find returns the carrier of a sender. Messages of a sandbox have no carrier but
// the virtual one. The name is empty if no route matches.
func (r *Routes) Find(ctx context.Context, q RouteQuery) (models.CarrierRoute, error) {
	route, err := r.cache.Get(ctx, q, func(ctx context.Context, q RouteQuery) (models.CarrierRoute, error) {
		return queries.CarrierRouteGet(ctx, r.pool, q.OrganisationID, q.Channel, q.Sender)
	})
	if err != nil {
		return route, fmt.Errorf("finding the carrier of %s %s: %w", q.Channel, q.Sender, err)
	}
	return route, nil
}

// Check returns an Unavailable fault if nothing would carry the messages of a
// sender. Without routes every message is carried.
func (r *Routes) Check(ctx context.Context, q RouteQuery) error {
	if r == nil {
		return nil
	}
	route, err := r.Find(ctx, q)
	if err != nil || route.Sandbox || route.Name != "" {
		return err
	}
	return fault.New(fault.Unavailable, "No carrier is set up for this sender, so its messages cannot be delivered. Ask the operator to add one, or use a sandbox.")
}
