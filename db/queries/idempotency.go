package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// IdempotencyGet returns what was answered to a key of an organisation.
func IdempotencyGet(ctx context.Context, q db.Querier, organisationID int64, key string) (models.IdempotentReply, error) {
	r := models.IdempotentReply{Key: key}
	err := q.QueryRow(ctx, `
		select route, fingerprint, status, response from idempotency_keys where organisation_id = $1 and key = $2`, organisationID, key).
		Scan(&r.Route, &r.Fingerprint, &r.Status, &r.Response)
	return r, err
}

// IdempotencyInsert keeps the reply under its key unless the key is taken, and
// reports whether it was free. A key that another transaction is taking is
// waited for.
func IdempotencyInsert(ctx context.Context, q db.Querier, organisationID int64, r models.IdempotentReply) (bool, error) {
	tag, err := q.Exec(ctx, `
		insert into idempotency_keys (organisation_id, key, route, fingerprint, status, response)
		values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
		organisationID, r.Key, r.Route, r.Fingerprint, r.Status, r.Response)
	return tag.RowsAffected() == 1, err
}

// IdempotencyDelete drops keys older than age and returns how many.
func IdempotencyDelete(ctx context.Context, q db.Querier, age time.Duration) (int64, error) {
	tag, err := q.Exec(ctx, `delete from idempotency_keys where created_at < now() - $1::interval`, age)
	return tag.RowsAffected(), err
}
