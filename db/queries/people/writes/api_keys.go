package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// APIKeyInsert puts a key into a free slot of its organisation and returns id
// and slot. No row comes back when both slots are taken; losing the slot to
// another at the same moment is a unique violation of api_keys_active_slot.
func APIKeyInsert(ctx context.Context, q db.Querier, k models.APIKey) (id int64, slot int, err error) {
	err = q.QueryRow(ctx, `
		insert into api_keys (organisation_id, slot, name, prefix, hash, channels)
		select $1, free.slot, $2, $3, $4, $5 from (values (1::smallint), (2::smallint)) as free (slot)
		where not exists (select from api_keys k where k.organisation_id = $1 and k.slot = free.slot and k.revoked_at is null)
		order by free.slot limit 1
		returning id, slot`, k.OrganisationID, k.Name, k.Prefix, k.Hash, k.Channels).Scan(&id, &slot)
	return id, slot, err
}

// APIKeyUpdateRevoked ends an active key of an organisation and reports
// whether there was one.
func APIKeyUpdateRevoked(ctx context.Context, q db.Querier, organisationID, id int64) (bool, error) {
	return collect.Changed(ctx, q, `
		update api_keys set revoked_at = now() where id = $1 and organisation_id = $2 and revoked_at is null`, id, organisationID)
}

// APIKeyUpdateUsed notes when keys were used last; ids and times go in pairs.
func APIKeyUpdateUsed(ctx context.Context, q db.Querier, ids []int64, at []time.Time) error {
	return collect.Execute(ctx, q, `
		update api_keys k set last_used_at = greatest(k.last_used_at, used.at)
		from unnest($1::bigint[], $2::timestamptz[]) as used (id, at) where k.id = used.id`, ids, at)
}
