package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// IdempotencyGet returns what was answered to a key of an organisation.
func IdempotencyGet(ctx context.Context, q db.Querier, organisationID int64, key string) (models.IdempotentReply, error) {
	return collect.One[models.IdempotentReply](ctx, q, `
		select key, route, fingerprint, status, response from idempotency_keys where organisation_id = $1 and key = $2`, organisationID, key)
}
