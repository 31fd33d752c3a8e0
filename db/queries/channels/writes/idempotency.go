package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// IdempotencyOwner is a key of an organisation.
type IdempotencyOwner struct {
	OrganisationID int64
	Key            string
}

// OwnedReply is a reply to be kept under its owner's key.
type OwnedReply struct {
	IdempotencyOwner
	Reply models.IdempotentReply
}

// IdempotencyInsertMany keeps replies under their keys and returns the owners
// of keys that were free. A key that another transaction is taking is waited for;
// all callers take keys in the same order, so that they cannot wait for each
// other.
func IdempotencyInsertMany(ctx context.Context, q db.Querier, replies []OwnedReply) ([]IdempotencyOwner, error) {
	var organisations []int64
	var keys, routes []string
	var fingerprints, responses [][]byte
	var statuses []int16
	for _, r := range replies {
		organisations, keys, routes = append(organisations, r.OrganisationID), append(keys, r.Key), append(routes, r.Reply.Route)
		fingerprints, responses = append(fingerprints, r.Reply.Fingerprint), append(responses, r.Reply.Response)
		statuses = append(statuses, int16(r.Reply.Status))
	}
	return collect.Many[IdempotencyOwner](ctx, q, `
		insert into idempotency_keys (organisation_id, key, route, fingerprint, status, response)
		select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::smallint[], $6::bytea[]) order by 1, 2
		on conflict do nothing
		returning organisation_id, key`, organisations, keys, routes, fingerprints, statuses, responses)
}

// IdempotencyUpdate stores the reply under a key that was claimed before.
func IdempotencyUpdate(ctx context.Context, q db.Querier, organisationID int64, r models.IdempotentReply) error {
	return collect.Execute(ctx, q, `update idempotency_keys set status = $3, response = $4 where organisation_id = $1 and key = $2`, organisationID, r.Key, r.Status, r.Response)
}

// IdempotencyDelete drops keys older than age and returns how many.
func IdempotencyDelete(ctx context.Context, q db.Querier, age time.Duration) (int64, error) {
	return collect.Count(ctx, q, `delete from idempotency_keys where created_at < now() - $1::interval`, age)
}
