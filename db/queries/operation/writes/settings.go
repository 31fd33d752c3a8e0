package writes

import (
	"context"
	"encoding/json"

	"heliograph/db"
)

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
