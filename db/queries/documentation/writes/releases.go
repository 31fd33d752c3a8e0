package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ProductLock lets one release of a product happen at a time, until the
// transaction ends.
func ProductLock(ctx context.Context, q db.Querier, productID int64) error {
	return collect.Execute(ctx, q, `select pg_advisory_xact_lock(5124, $1::bigint::integer)`, productID)
}

// ReleaseInsert numbers the next release of a scope, fills it with what is
// live there now (the scope and its parts, versions apart) and returns its id.
func ReleaseInsert(ctx context.Context, q db.Querier, scopeID int64, c models.ChangeSet, publisherID int64) (int64, error) {
	var id int64
	err := q.QueryRow(ctx, `
		insert into releases (product_id, scope_id, number, change_set_id, summary, published_by)
		select $1, $2, coalesce(max(number), 0) + 1, $3, $4, nullif($5::bigint, 0) from releases where scope_id = $2
		returning id`, c.ProductID, scopeID, c.ID, c.Summary, publisherID).Scan(&id)
	if err != nil {
		return 0, err
	}
	_, err = q.Exec(ctx, `
		insert into release_items (release_id, item_id, revision_id)
		select $1, id, live_revision_id from items
		where (id = $2 or parent_id = $2 and kind <> 'version')
		  and live_revision_id is not null and archived_at is null and trashed_at is null`, id, scopeID)
	return id, err
}

// SeedLock lets one seed work at a time, until the transaction ends.
func SeedLock(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `select pg_advisory_xact_lock(5125, 0)`)
}

// Notify tells every process, once the transaction commits.
func Notify(ctx context.Context, q db.Querier, payload string) error {
	return collect.Execute(ctx, q, `select pg_notify($1, $2)`, db.Channel, payload)
}
