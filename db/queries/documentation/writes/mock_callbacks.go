package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// MockCallbackInsert stores a callback to be sent.
func MockCallbackInsert(ctx context.Context, q db.Querier, c models.MockCallback) error {
	return collect.Execute(ctx, q, `insert into mock_callbacks (id, organisation_id, method, url, headers, body) values ($1, $2, $3, $4, $5, $6)`,
		c.ID, c.OrganisationID, c.Method, c.URL, c.Headers, c.Body)
}

// MockCallbackTake removes a callback and returns it, unless it is older than life.
func MockCallbackTake(ctx context.Context, q db.Querier, id uuid.UUID, life time.Duration) (models.MockCallback, error) {
	return collect.One[models.MockCallback](ctx, q, `
		with taken as (delete from mock_callbacks where id = $1 returning id, organisation_id, method, url, headers, body, created_at)
		select id, organisation_id, method, url, headers, body from taken where created_at > now() - $2::interval`, id, life)
}

// MockCallbackDelete deletes callbacks that are older than life.
func MockCallbackDelete(ctx context.Context, q db.Querier, life time.Duration) error {
	return collect.Execute(ctx, q, `delete from mock_callbacks where created_at < now() - $1::interval`, life)
}
