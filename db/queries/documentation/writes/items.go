package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	queries "heliograph/db/queries/documentation"
)

// ItemInsert adds items without content below a parent, zero for products, and
// returns them. A taken address is a unique violation of items_address.
func ItemInsert(ctx context.Context, q db.Querier, parentID int64, kinds, slugs []string) ([]models.Item, error) {
	return collect.Many[models.Item](ctx, q, `
		insert into items (kind, parent_id, slug)
		select kind, nullif($1::bigint, 0), slug from unnest($2::text[], $3::text[]) with ordinality as n (kind, slug, place) order by place
		returning `+queries.ItemColumns, parentID, kinds, slugs)
}

// ItemUpdateDraft makes revisions the drafts of their items.
func ItemUpdateDraft(ctx context.Context, q db.Querier, ids, revisionIDs []int64) error {
	return collect.Execute(ctx, q, `
		update items set draft_revision_id = c.revision_id from unnest($1::bigint[], $2::bigint[]) as c (id, revision_id) where items.id = c.id`, ids, revisionIDs)
}

// ItemUpdateUndrafted drops the draft of an item.
func ItemUpdateUndrafted(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `update items set draft_revision_id = null where id = $1`, id)
}

// ItemUpdateLive makes revisions public, each of the item at the same place of
// the other list; a draft that is this revision ends, and an archived item
// comes back.
func ItemUpdateLive(ctx context.Context, q db.Querier, ids, revisionIDs []int64) error {
	return collect.Execute(ctx, q, `
		update items set live_revision_id = c.revision_id, draft_revision_id = nullif(draft_revision_id, c.revision_id), archived_at = null
		from unnest($1::bigint[], $2::bigint[]) as c (id, revision_id) where items.id = c.id`, ids, revisionIDs)
}

// ItemUpdateArchived takes items out of the next release. Their drafts end,
// except those in an open change set.
func ItemUpdateArchived(ctx context.Context, q db.Querier, ids []int64) error {
	return collect.Execute(ctx, q, `
		update items set archived_at = now(),
			draft_revision_id = case when exists (select from change_set_items c where c.item_id = items.id and c.open) then draft_revision_id end
		where id = any($1) and archived_at is null`, ids)
}

// ItemUpdateTrashed moves an item to the trash or takes it out.
func ItemUpdateTrashed(ctx context.Context, q db.Querier, id int64, trashed bool) error {
	return collect.Execute(ctx, q, `update items set trashed_at = case when $2 then now() end where id = $1`, id, trashed)
}

// ItemUpdateAddress moves an item; parentID zero keeps its parent. A taken
// address is a unique violation of items_address.
func ItemUpdateAddress(ctx context.Context, q db.Querier, id, parentID int64, slug string) error {
	return collect.Execute(ctx, q, `update items set slug = $3, parent_id = coalesce(nullif($2::bigint, 0), parent_id) where id = $1`, id, parentID, slug)
}

// ItemRedirectInsert keeps the address that an item has now for readers who
// know no other.
func ItemRedirectInsert(ctx context.Context, q db.Querier, i models.Item) error {
	return collect.Execute(ctx, q, `
		insert into item_redirects (kind, parent_id, slug, item_id) values ($1, nullif($2::bigint, 0), $3, $4)
		on conflict (parent_id, address_space(kind), slug) do update set item_id = excluded.item_id, created_at = now()`,
		i.Kind, i.ParentID, i.Slug, i.ID)
}

// ItemRedirectDelete drops old addresses that items of their own have now.
func ItemRedirectDelete(ctx context.Context, q db.Querier, ids []int64) error {
	return collect.Execute(ctx, q, `
		delete from item_redirects r using items i
		where i.id = any($1) and r.parent_id is not distinct from i.parent_id and address_space(r.kind) = address_space(i.kind) and r.slug = i.slug`, ids)
}
