package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// EventPlace is a callback in the order in which callbacks were stored.
type EventPlace struct {
	ID        int64
	CreatedAt time.Time
}

// EventList lists callbacks of an organisation that were stored since a time, the oldest
// first, but for those that were seen.
func EventList(ctx context.Context, q db.Querier, organisationID int64, since time.Time, seen []int64, channels []string, limit int) ([]EventPlace, error) {
	return collect.Many[EventPlace](ctx, q, `
		select d.id, d.created_at from deliveries d join webhooks w on w.id = d.webhook_id
		where d.organisation_id = $1 and d.created_at >= $2 and d.id <> all($3) and w.channel = any($4)
		order by d.created_at, d.id limit $5`, organisationID, since, seen, channels, limit)
}
