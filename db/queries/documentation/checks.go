package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// CheckResultList returns what the checks found in the items of a change set.
func CheckResultList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.CheckResult, error) {
	return collect.Many[models.CheckResult](ctx, q, `
		select item_id, content_hash, basis, findings, checked_at from check_results where change_set_id = $1 order by item_id`, changeSetID)
}

// CheckPolicyList returns the levels that a product has chosen.
func CheckPolicyList(ctx context.Context, q db.Querier, productID int64) ([]models.CheckPolicy, error) {
	return collect.Many[models.CheckPolicy](ctx, q, `select check_name, level from check_policies where product_id = $1 order by check_name`, productID)
}

// released is the content that an item will have after a change set, as r: what the
// set does to it, else what is live.
const released = `
	from items i left join change_set_items c on c.item_id = i.id and c.change_set_id = $2
	join revisions r on r.id = coalesce(c.revision_id, i.live_revision_id)
	where i.trashed_at is null and case when c.item_id is null then i.archived_at is null else c.action <> 'archive' end`

// ReleasedPartList returns a version and its schemas as they will be after a change
// set.
func ReleasedPartList(ctx context.Context, q db.Querier, versionID, changeSetID int64) ([]models.LiveItem, error) {
	return collect.Many[models.LiveItem](ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0) as parent_id, i.slug, r.content `+released+`
		and (i.id = $1 or i.parent_id = $1 and i.kind = 'schema') order by i.id`, versionID, changeSetID)
}

// ReleasedOperationList returns the endpoints and callbacks of a version as they
// will be after a change set.
func ReleasedOperationList(ctx context.Context, q db.Querier, versionID, changeSetID int64) ([]models.OperationEntry, error) {
	return collect.Many[models.OperationEntry](ctx, q, `
		select i.id, i.kind, coalesce(c.slug, i.slug) as slug, coalesce(r.content->>'operation_id', '') as operation_id,
			coalesce(r.content->>'method', '') as method, coalesce(r.content->'raw'->>'x-openapi-path', r.content->>'path', '') as path `+released+`
		and i.kind in ('endpoint', 'callback') and coalesce(c.parent_id, i.parent_id) = $1 order by i.id`, versionID, changeSetID)
}
