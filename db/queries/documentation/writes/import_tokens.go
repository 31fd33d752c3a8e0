package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ImportTokenInsert adds a token and returns its id.
func ImportTokenInsert(ctx context.Context, q db.Querier, t models.ImportToken, hash []byte) (id int64, err error) {
	return collect.Value[int64](ctx, q, `insert into import_tokens (admin_user_id, product_id, name, prefix, hash, expires_at) values ($1, $2, $3, $4, $5, $6) returning id`,
		t.AdminID, t.ProductID, t.Name, t.Prefix, hash, t.ExpiresAt)
}

// ImportTokenUpdateUsed stores that a token was used, to the minute.
func ImportTokenUpdateUsed(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `update import_tokens set last_used_at = now() where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`, id)
}

// ImportTokenUpdateRevoked ends a token, and reports whether it was not ended before.
func ImportTokenUpdateRevoked(ctx context.Context, q db.Querier, id int64) (bool, error) {
	return collect.Changed(ctx, q, `update import_tokens set revoked_at = now() where id = $1 and revoked_at is null`, id)
}
