package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// MockRecordInsert stores a record, unless its scope, its client or all callers
// together have too many. It reports whether it did.
func MockRecordInsert(ctx context.Context, q db.Querier, r models.MockRecord, inScope, ofClient, all int) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into mock_records (scope, client, collection, id, value)
		select $1, $2, $3, $4, $5
		where (select count(*) from mock_records where scope = $1) < $6
			and (select count(*) from mock_records where client = $2) < $7
			and (select count(*) from (select from mock_records limit $8) x) < $8
		on conflict (scope, id) do update set collection = excluded.collection, value = excluded.value, deleted = false, created_at = now(), expires_at = excluded.expires_at`,
		r.Scope, r.Client, r.Collection, r.ID, r.Value, inScope, ofClient, all)
}

// MockRecordUpdate changes a record, or marks it as deleted.
func MockRecordUpdate(ctx context.Context, q db.Querier, r models.MockRecord) error {
	return collect.Execute(ctx, q, `update mock_records set value = $3, deleted = $4 where scope = $1 and id = $2`, r.Scope, r.ID, r.Value, r.Deleted)
}

// MockRecordDeleteExpired deletes what has expired.
func MockRecordDeleteExpired(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `delete from mock_records where expires_at < now()`)
}
