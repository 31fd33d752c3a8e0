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

// SettingUpsert saves a setting.
func SettingUpsert(ctx context.Context, q db.Querier, name string, value json.RawMessage) error {
	_, err := q.Exec(ctx, `
		insert into settings (name, value) values ($1, $2)
		on conflict (name) do update set value = excluded.value, updated_at = now()`, name, value)
	return err
}

// SettingSecretUpsert saves a sealed secret.
func SettingSecretUpsert(ctx context.Context, q db.Querier, name string, sealed []byte) error {
	_, err := q.Exec(ctx, `
		insert into setting_secrets (name, sealed) values ($1, $2)
		on conflict (name) do update set sealed = excluded.sealed, updated_at = now()`, name, sealed)
	return err
}

// SettingSecretDelete forgets a secret.
func SettingSecretDelete(ctx context.Context, q db.Querier, name string) error {
	_, err := q.Exec(ctx, `delete from setting_secrets where name = $1`, name)
	return err
}
