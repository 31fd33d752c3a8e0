package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// ImportTokenInsert adds a token and returns its id.
func ImportTokenInsert(ctx context.Context, q db.Querier, t models.ImportToken, hash []byte) (id int64, err error) {
	err = q.QueryRow(ctx, `insert into import_tokens (admin_user_id, product_id, name, prefix, hash, expires_at) values ($1, $2, $3, $4, $5, $6) returning id`,
		t.AdminID, t.ProductID, t.Name, t.Prefix, hash, t.ExpiresAt).Scan(&id)
	return id, err
}

// ImportTokenUpdateUsed stores that a token was used, to the minute.
func ImportTokenUpdateUsed(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update import_tokens set last_used_at = now() where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`, id)
	return err
}

// ImportTokenUpdateRevoked ends a token, and reports whether it was not ended before.
func ImportTokenUpdateRevoked(ctx context.Context, q db.Querier, id int64) (bool, error) {
	tag, err := q.Exec(ctx, `update import_tokens set revoked_at = now() where id = $1 and revoked_at is null`, id)
	return tag.RowsAffected() == 1, err
}
