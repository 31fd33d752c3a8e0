package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// APIKeyCountActive returns how many active keys an organisation has.
func APIKeyCountActive(ctx context.Context, q db.Querier, organisationID int64) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from api_keys where organisation_id = $1 and revoked_at is null`, organisationID)
}

// APIKeyGet returns the active key with the hash and the state of its
// organisation.
func APIKeyGet(ctx context.Context, q db.Querier, hash []byte) (models.APIKey, error) {
	return collect.OneLax[models.APIKey](ctx, q, `
		select k.id, k.organisation_id, o.status as organisation_status, k.slot, k.name, k.prefix, k.channels
		from api_keys k join organisations o on o.id = k.organisation_id
		where k.hash = $1 and k.revoked_at is null`, hash)
}

// APIKeyList returns the active keys of an organisation, then at most twenty of
// the revoked ones, the newest of each first.
func APIKeyList(ctx context.Context, q db.Querier, organisationID int64) ([]models.ListedKey, error) {
	return collect.Many[models.ListedKey](ctx, q, `
		select id, name, prefix, channels, created_at, last_used_at as used_at, revoked_at
		from api_keys where organisation_id = $1 order by revoked_at desc nulls first, id desc limit 22`, organisationID)
}

// APIKeyGetActive returns an active key of an organisation.
func APIKeyGetActive(ctx context.Context, q db.Querier, organisationID, id int64) (models.ListedKey, error) {
	return collect.One[models.ListedKey](ctx, q, `
		select id, name, prefix, channels, created_at, last_used_at as used_at, revoked_at
		from api_keys where organisation_id = $1 and id = $2 and revoked_at is null`, organisationID, id)
}
