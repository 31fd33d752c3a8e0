package writes

import (
	"context"
	"encoding/json"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// SettingUpsert saves a setting.
func SettingUpsert(ctx context.Context, q db.Querier, name string, value json.RawMessage) error {
	return collect.Execute(ctx, q, `
		insert into settings (name, value) values ($1, $2)
		on conflict (name) do update set value = excluded.value, updated_at = now()`, name, value)
}

// SettingSecretUpsert saves a sealed secret.
func SettingSecretUpsert(ctx context.Context, q db.Querier, name string, sealed []byte) error {
	return collect.Execute(ctx, q, `
		insert into setting_secrets (name, sealed) values ($1, $2)
		on conflict (name) do update set sealed = excluded.sealed, updated_at = now()`, name, sealed)
}

// SettingSecretDelete forgets a secret.
func SettingSecretDelete(ctx context.Context, q db.Querier, name string) error {
	return collect.Execute(ctx, q, `delete from setting_secrets where name = $1`, name)
}
