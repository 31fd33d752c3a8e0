package queries

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
)

// SettingGet returns a setting as JSON and the sealed secrets with names that begin
// with its name and a dot. A setting that was never saved is an empty value.
func SettingGet(ctx context.Context, q db.Querier, name string) (value json.RawMessage, secrets map[string][]byte, err error) {
	secrets = map[string][]byte{}
	batch := &pgx.Batch{}
	batch.Queue(`select coalesce((select value from settings where name = $1), 'null')`, name).
		QueryRow(func(row pgx.Row) error { return row.Scan(&value) })
	batch.Queue(`select name, sealed from setting_secrets where starts_with(name, $1 || '.')`, name).
		Query(func(rows pgx.Rows) error {
			var secret string
			var sealed []byte
			_, err := pgx.ForEachRow(rows, []any{&secret, &sealed}, func() error {
				secrets[secret] = sealed
				sealed = nil
				return nil
			})
			return err
		})
	return value, secrets, q.SendBatch(ctx, batch).Close()
}
