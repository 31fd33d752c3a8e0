package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ChangeSetInsert opens a change set of a product and returns its id.
func ChangeSetInsert(ctx context.Context, q db.Querier, productID int64, summary string, authorID int64) (int64, error) {
	return collect.Value[int64](ctx, q, `
		insert into change_sets (product_id, summary, author_id) values ($1, $2, nullif($3::bigint, 0)) returning id`,
		productID, summary, authorID)
}

// ChangeSetUpdateState moves a change set. It ends a schedule and the reason
// for which one was blocked.
func ChangeSetUpdateState(ctx context.Context, q db.Querier, id int64, state string) error {
	return collect.Execute(ctx, q, `
		update change_sets set state = $2, scheduled_for = null, scheduled_by = null, blocked_reason = '', updated_at = now() where id = $1`, id, state)
}

// ChangeSetUpdateSummary says what a change set is about.
func ChangeSetUpdateSummary(ctx context.Context, q db.Querier, id int64, summary string) error {
	return collect.Execute(ctx, q, `update change_sets set summary = $2, updated_at = now() where id = $1`, id, summary)
}

// ChangeSetUpdateScheduled has a change set published at a time.
func ChangeSetUpdateScheduled(ctx context.Context, q db.Querier, id, by int64, at time.Time) error {
	return collect.Execute(ctx, q, `
		update change_sets set state = 'scheduled', scheduled_for = $3, scheduled_by = nullif($2::bigint, 0), updated_at = now() where id = $1`, id, by, at)
}

// ChangeSetUpdateBlocked notes why a change set was not published when it was
// due.
func ChangeSetUpdateBlocked(ctx context.Context, q db.Querier, id int64, reason string) error {
	return collect.Execute(ctx, q, `
		update change_sets set state = 'blocked', scheduled_for = null, scheduled_by = null, blocked_reason = $2, updated_at = now() where id = $1`, id, reason)
}

// ChangeSetItemPut puts changes into a change set, each of them in the place of
// what the set did to the item before. An item that is in another open set is a
// unique violation of change_set_items_open. Changes that are not open hold
// their items for nobody: items of a set that is published at once.
func ChangeSetItemPut(ctx context.Context, q db.Querier, changeSetID int64, changes []models.Change, open bool) error {
	var items, revisions, parents []int64
	var actions, slugs []string
	for _, c := range changes {
		items, revisions, parents = append(items, c.Item.ID), append(revisions, c.RevisionID), append(parents, c.ParentID)
		actions, slugs = append(actions, c.Action), append(slugs, c.Slug)
	}
	return collect.Execute(ctx, q, `
		insert into change_set_items (change_set_id, item_id, revision_id, action, slug, parent_id, open)
		select $1, item_id, revision_id, action, nullif(slug, ''), nullif(parent_id, 0), $7
		from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[]) as c (item_id, revision_id, action, slug, parent_id)
		on conflict (change_set_id, item_id) do update
		set revision_id = excluded.revision_id, action = excluded.action, slug = excluded.slug, parent_id = excluded.parent_id, open = excluded.open`,
		changeSetID, items, revisions, actions, slugs, parents, open)
}

// ChangeSetItemMove takes an item from one change set to another.
func ChangeSetItemMove(ctx context.Context, q db.Querier, from, to int64, itemIDs []int64) (moved int64, err error) {
	return collect.Count(ctx, q, `update change_set_items set change_set_id = $2 where change_set_id = $1 and item_id = any($3)`, from, to, itemIDs)
}

// ChangeSetItemDelete takes an item out of a change set.
func ChangeSetItemDelete(ctx context.Context, q db.Querier, changeSetID, itemID int64) (deleted int64, err error) {
	return collect.Count(ctx, q, `delete from change_set_items where change_set_id = $1 and item_id = $2`, changeSetID, itemID)
}

// ChangeSetItemUpdateHead makes what a change set would publish the drafts that
// its items have now.
func ChangeSetItemUpdateHead(ctx context.Context, q db.Querier, changeSetID int64) error {
	return collect.Execute(ctx, q, `
		update change_set_items c set revision_id = i.draft_revision_id from items i
		where c.change_set_id = $1 and i.id = c.item_id and i.draft_revision_id is not null and c.action <> 'archive'`, changeSetID)
}

// ChangeSetItemUpdateClosed frees the items of a change set for others. Their
// drafts end too, unless keepDrafts.
func ChangeSetItemUpdateClosed(ctx context.Context, q db.Querier, changeSetID int64, keepDrafts bool) error {
	return collect.Execute(ctx, q, `
		with closed as (update change_set_items set open = false where change_set_id = $1 and open returning item_id)
		update items set draft_revision_id = null where not $2 and id in (select item_id from closed)`, changeSetID, keepDrafts)
}
