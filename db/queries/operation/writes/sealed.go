package writes

import (
	"context"
	"fmt"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SealedUpdate replaces a value that nobody has changed since it was read.
func SealedUpdate(ctx context.Context, q db.Querier, c models.SealedColumn, old models.SealedValue, sealed []byte) error {
	return collect.Execute(ctx, q, fmt.Sprintf(`update %[3]s set %[1]s = $1 where %[2]s = $2 and %[1]s = $3`, c.Column, c.Row, c.Table), sealed, old.Row, old.Sealed)
}

// SealedDelete removes a value that nobody can open. Rows that are nothing without
// it go with it, and emails and codes that wait to be sent are cancelled.
func SealedDelete(ctx context.Context, q db.Querier, c models.SealedColumn, v models.SealedValue) error {
	statement := `update %[3]s set %[1]s = null where %[2]s = $1 and %[1]s = $2`
	switch c.Table {
	case "encryption_keys", "setting_secrets":
		statement = `delete from %[3]s where %[2]s = $1 and %[1]s = $2`
	case "notifications":
		statement = `update %[3]s set %[1]s = null, finished_at = coalesce(finished_at, now()), state = case state when 'queued' then 'cancelled' else state end
			where %[2]s = $1 and %[1]s = $2`
	}
	return collect.Execute(ctx, q, fmt.Sprintf(statement, c.Column, c.Row, c.Table), v.Row, v.Sealed)
}

// KeyCheckDelete deletes the check values of keys.
func KeyCheckDelete(ctx context.Context, q db.Querier, ids []string) error {
	return collect.Execute(ctx, q, `delete from key_checks where key_id = any($1)`, ids)
}

// KeyCheckInsert stores the check value of a key that has none.
func KeyCheckInsert(ctx context.Context, q db.Querier, c models.KeyCheck) error {
	return collect.Execute(ctx, q, `insert into key_checks (key_id, sealed) values ($1, $2) on conflict do nothing`, c.KeyID, c.Sealed)
}
