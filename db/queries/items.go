package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

const itemColumns = `items.id, items.kind, coalesce(items.parent_id, 0) as parent_id, items.slug, coalesce(items.live_revision_id, 0) as live_revision_id,
	coalesce(items.draft_revision_id, 0) as draft_revision_id, items.archived_at is not null as archived, items.trashed_at is not null as trashed,
	coalesce(items.practice_of, 0) as practice_of`

// ItemGet returns an item by its id.
func ItemGet(ctx context.Context, q db.Querier, id int64) (models.Item, error) {
	return one[models.Item](ctx, q, `select `+itemColumns+` from items where id = $1`, id)
}

// ItemGetAt returns an item by its address: where it is, else where it was
// before it moved. parentID is zero for a product.
func ItemGetAt(ctx context.Context, q db.Querier, kind string, parentID int64, slug string) (models.Item, error) {
	return one[models.Item](ctx, q, `
		select `+itemColumns+` from items
		where parent_id is not distinct from nullif($2::bigint, 0) and address_space(kind) = address_space($1::text) and slug = $3
		union all
		select `+itemColumns+` from item_redirects r join items on items.id = r.item_id
		where r.parent_id is not distinct from nullif($2::bigint, 0) and address_space(r.kind) = address_space($1::text) and r.slug = $3
		limit 1`, kind, parentID, slug)
}

// ItemProduct returns the id of the product that an item belongs to.
func ItemProduct(ctx context.Context, q db.Querier, id int64) (productID int64, err error) {
	err = q.QueryRow(ctx, `
		with recursive up as (
			select id, parent_id from items where id = $1 union all select p.id, p.parent_id from up join items p on p.id = up.parent_id
		) select id from up where parent_id is null`, id).Scan(&productID)
	return productID, err
}

// ItemInsert adds items without content below a parent, zero for products, and
// returns them. A taken address is a unique violation of items_address.
func ItemInsert(ctx context.Context, q db.Querier, parentID int64, kinds, slugs []string) ([]models.Item, error) {
	return many[models.Item](ctx, q, `
		insert into items (kind, parent_id, slug)
		select kind, nullif($1::bigint, 0), slug from unnest($2::text[], $3::text[]) with ordinality as n (kind, slug, place) order by place
		returning `+itemColumns, parentID, kinds, slugs)
}

// ItemList returns the items below a parent, whatever their state.
func ItemList(ctx context.Context, q db.Querier, parentID int64) ([]models.Item, error) {
	return many[models.Item](ctx, q, `select `+itemColumns+` from items where parent_id = $1 order by id`, parentID)
}

// ItemListLive returns the live items below a parent that are not archived or
// in the trash.
func ItemListLive(ctx context.Context, q db.Querier, parentID int64) ([]models.Item, error) {
	return many[models.Item](ctx, q, `
		select `+itemColumns+` from items
		where parent_id = $1 and live_revision_id is not null and archived_at is null and trashed_at is null order by id`, parentID)
}

// ItemHeadList returns what an edit of items is judged by, by item.
func ItemHeadList(ctx context.Context, q db.Querier, ids []int64) (map[int64]models.ItemHead, error) {
	rows, err := q.Query(ctx, `
		select `+itemColumns+`, coalesce(head.content_hash, '') as head_hash, coalesce(live.content_hash, '') as live_hash,
			coalesce(live.origin, case when live.author_id is null then 'seed' else 'edit' end) as live_origin,
			coalesce(c.change_set_id, 0) as change_set_id, coalesce(c.action, '') as action, coalesce(c.slug, '') as new_slug, coalesce(c.parent_id, 0) as new_parent_id
		from items left join revisions head on head.id = coalesce(items.draft_revision_id, items.live_revision_id)
		left join revisions live on live.id = items.live_revision_id
		left join change_set_items c on c.item_id = items.id and c.open
		where items.id = any($1)`, ids)
	if err != nil {
		return nil, err
	}
	heads, err := pgx.CollectRows(rows, pgx.RowToStructByName[models.ItemHead])
	byID := make(map[int64]models.ItemHead, len(heads))
	for _, h := range heads {
		byID[h.ID] = h
	}
	return byID, err
}

// ItemUpdateDraft makes revisions the drafts of their items.
func ItemUpdateDraft(ctx context.Context, q db.Querier, ids, revisionIDs []int64) error {
	_, err := q.Exec(ctx, `
		update items set draft_revision_id = c.revision_id from unnest($1::bigint[], $2::bigint[]) as c (id, revision_id) where items.id = c.id`, ids, revisionIDs)
	return err
}

// ItemUpdateUndrafted drops the draft of an item.
func ItemUpdateUndrafted(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update items set draft_revision_id = null where id = $1`, id)
	return err
}

// ItemUpdateLive makes revisions public, each of the item at the same place of
// the other list; a draft that is this revision ends, and an archived item
// comes back.
func ItemUpdateLive(ctx context.Context, q db.Querier, ids, revisionIDs []int64) error {
	_, err := q.Exec(ctx, `
		update items set live_revision_id = c.revision_id, draft_revision_id = nullif(draft_revision_id, c.revision_id), archived_at = null
		from unnest($1::bigint[], $2::bigint[]) as c (id, revision_id) where items.id = c.id`, ids, revisionIDs)
	return err
}

// ItemUpdateArchived takes items out of the next release. Their drafts end,
// except those in an open change set.
func ItemUpdateArchived(ctx context.Context, q db.Querier, ids []int64) error {
	_, err := q.Exec(ctx, `
		update items set archived_at = now(),
			draft_revision_id = case when exists (select from change_set_items c where c.item_id = items.id and c.open) then draft_revision_id end
		where id = any($1) and archived_at is null`, ids)
	return err
}

// ItemUpdateTrashed moves an item to the trash or takes it out.
func ItemUpdateTrashed(ctx context.Context, q db.Querier, id int64, trashed bool) error {
	_, err := q.Exec(ctx, `update items set trashed_at = case when $2 then now() end where id = $1`, id, trashed)
	return err
}

// ItemUpdateAddress moves an item; parentID zero keeps its parent. A taken
// address is a unique violation of items_address.
func ItemUpdateAddress(ctx context.Context, q db.Querier, id, parentID int64, slug string) error {
	_, err := q.Exec(ctx, `update items set slug = $3, parent_id = coalesce(nullif($2::bigint, 0), parent_id) where id = $1`, id, parentID, slug)
	return err
}

// ItemRedirectInsert keeps the address that an item has now for readers who
// know no other.
func ItemRedirectInsert(ctx context.Context, q db.Querier, i models.Item) error {
	_, err := q.Exec(ctx, `
		insert into item_redirects (kind, parent_id, slug, item_id) values ($1, nullif($2::bigint, 0), $3, $4)
		on conflict (parent_id, address_space(kind), slug) do update set item_id = excluded.item_id, created_at = now()`,
		i.Kind, i.ParentID, i.Slug, i.ID)
	return err
}

// ItemRedirectDelete drops old addresses that items of their own have now.
func ItemRedirectDelete(ctx context.Context, q db.Querier, ids []int64) error {
	_, err := q.Exec(ctx, `
		delete from item_redirects r using items i
		where i.id = any($1) and r.parent_id is not distinct from i.parent_id and address_space(r.kind) = address_space(i.kind) and r.slug = i.slug`, ids)
	return err
}

// ItemRedirectList returns the addresses below a parent that items had before
// they moved.
func ItemRedirectList(ctx context.Context, q db.Querier, parentID int64) ([]models.ItemRedirect, error) {
	return many[models.ItemRedirect](ctx, q, `
		select kind, coalesce(parent_id, 0) as parent_id, slug, item_id from item_redirects
		where parent_id is not distinct from nullif($1::bigint, 0) order by id`, parentID)
}

// GuideList returns the live guides of a product with their content.
func GuideList(ctx context.Context, q db.Querier, productID int64) ([]models.LiveItem, error) {
	return many[models.LiveItem](ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0) as parent_id, i.slug, r.content
		from items i join revisions r on r.id = i.live_revision_id
		where i.parent_id = $1 and i.kind = 'guide' and i.archived_at is null and i.trashed_at is null order by i.id`, productID)
}

// VersionLabelList returns the live labels of the versions of a product, by
// item.
func VersionLabelList(ctx context.Context, q db.Querier, productID int64) (map[int64]string, error) {
	rows, err := q.Query(ctx, `
		select i.id, coalesce(r.content->>'label', '') from items i join revisions r on r.id = i.live_revision_id
		where i.parent_id = $1 and i.kind = 'version'`, productID)
	if err != nil {
		return nil, err
	}
	labels := map[int64]string{}
	var id int64
	var label string
	_, err = pgx.ForEachRow(rows, []any{&id, &label}, func() error {
		labels[id] = label
		return nil
	})
	return labels, err
}
