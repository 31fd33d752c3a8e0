package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RefusedCallInsert stores refused calls and returns the organisations that they belong
// to. The organisation and the prefix of a key are looked up by the id of the key or by
// its hash, even if the key is revoked.
func RefusedCallInsert(ctx context.Context, q db.Querier, calls []models.RefusedCall) (organisations []int64, err error) {
	n := len(calls)
	hashes, keys, prefixes, channels := make([][]byte, n), make([]int64, n), make([]string, n), make([]string, n)
	methods, paths, statuses, codes := make([]string, n), make([]string, n), make([]int, n), make([]int, n)
	ids, repeats, times := make([]string, n), make([]int, n), make([]time.Time, n)
	for i, c := range calls {
		hashes[i], keys[i], prefixes[i], channels[i] = c.KeyHash, c.KeyID, c.KeyPrefix, c.Channel
		methods[i], paths[i], statuses[i], codes[i] = c.Method, c.Path, c.Status, c.Code
		ids[i], repeats[i], times[i] = c.RequestID, c.Repeats, c.At
	}
	return collect.Values[int64](ctx, q, `
		with stored as (insert into refused_calls (organisation_id, key_prefix, channel, method, path, status, code, request_id, repeats, at)
		select k.organisation_id, coalesce(k.prefix, c.prefix), c.channel, c.method, c.path, c.status, c.code, c.request_id, c.repeats, c.at
		from unnest($1::bytea[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[], $9::text[], $10::int[], $11::timestamptz[])
			with ordinality as c (hash, key, prefix, channel, method, path, status, code, request_id, repeats, at, place)
		left join api_keys k on k.id = c.key or k.hash = c.hash
		order by c.place returning organisation_id)
		select distinct organisation_id from stored where organisation_id is not null`, hashes, keys, prefixes, channels, methods, paths, statuses, codes, ids, repeats, times)
}

// RefusedCallTrim deletes the oldest refused calls of organisations beyond a number, and
// of the keys that were never issued.
func RefusedCallTrim(ctx context.Context, q db.Querier, organisations []int64, most int) error {
	_, err := q.Exec(ctx, `
		delete from refused_calls r using (
			select o.id as organisation_id, (select c.id from refused_calls c where c.organisation_id = o.id order by c.id desc offset $2 limit 1) as newest from unnest($1::bigint[]) o (id)
		) old where r.organisation_id = old.organisation_id and r.id <= old.newest`, organisations, most)
	if err != nil {
		return err
	}
	return collect.Execute(ctx, q, `
		delete from refused_calls where organisation_id is null and id <= (select c.id from refused_calls c where c.organisation_id is null order by c.id desc offset $1 limit 1)`, most)
}

// RefusedCallDelete deletes refused calls from before a time.
func RefusedCallDelete(ctx context.Context, q db.Querier, before time.Time) error {
	return collect.Execute(ctx, q, `delete from refused_calls where at < $1`, before)
}
