package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ItemColumns are the columns of items that a models.Item has.
const ItemColumns = `items.id, items.kind, coalesce(items.parent_id, 0) as parent_id, items.slug, coalesce(items.live_revision_id, 0) as live_revision_id,
	coalesce(items.draft_revision_id, 0) as draft_revision_id, items.archived_at is not null as archived, items.trashed_at is not null as trashed,
	coalesce(items.practice_of, 0) as practice_of`

// ItemGet returns an item by its id.
func ItemGet(ctx context.Context, q db.Querier, id int64) (models.Item, error) {
	return collect.One[models.Item](ctx, q, `select `+ItemColumns+` from items where id = $1`, id)
}

// ItemGetAt returns an item by its address: where it is, else where it was
// before it moved. parentID is zero for a product.
func ItemGetAt(ctx context.Context, q db.Querier, kind string, parentID int64, slug string) (models.Item, error) {
	return collect.One[models.Item](ctx, q, `
		select `+ItemColumns+` from items
		where parent_id is not distinct from nullif($2::bigint, 0) and address_space(kind) = address_space($1::text) and slug = $3
		union all
		select `+ItemColumns+` from item_redirects r join items on items.id = r.item_id
		where r.parent_id is not distinct from nullif($2::bigint, 0) and address_space(r.kind) = address_space($1::text) and r.slug = $3
		limit 1`, kind, parentID, slug)
}

// ItemProduct returns the id of the product that an item belongs to.
func ItemProduct(ctx context.Context, q db.Querier, id int64) (productID int64, err error) {
	return collect.Value[int64](ctx, q, `
		with recursive up as (
			select id, parent_id from items where id = $1 union all select p.id, p.parent_id from up join items p on p.id = up.parent_id
		) select id from up where parent_id is null`, id)
}

// ItemList returns the items below a parent, whatever their state.
func ItemList(ctx context.Context, q db.Querier, parentID int64) ([]models.Item, error) {
	return collect.Many[models.Item](ctx, q, `select `+ItemColumns+` from items where parent_id = $1 order by id`, parentID)
}

// ItemListLive returns the live items below a parent that are not archived or
// in the trash.
func ItemListLive(ctx context.Context, q db.Querier, parentID int64) ([]models.Item, error) {
	return collect.Many[models.Item](ctx, q, `
		select `+ItemColumns+` from items
		where parent_id = $1 and live_revision_id is not null and archived_at is null and trashed_at is null order by id`, parentID)
}

// ItemHeadList returns what an edit of items is judged by, by item.
func ItemHeadList(ctx context.Context, q db.Querier, ids []int64) (map[int64]models.ItemHead, error) {
	rows, err := q.Query(ctx, `
		select `+ItemColumns+`, coalesce(head.content_hash, '') as head_hash, coalesce(live.content_hash, '') as live_hash,
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

// ItemRedirectList returns the addresses below a parent that items had before
// they moved.
func ItemRedirectList(ctx context.Context, q db.Querier, parentID int64) ([]models.ItemRedirect, error) {
	return collect.Many[models.ItemRedirect](ctx, q, `
		select kind, coalesce(parent_id, 0) as parent_id, slug, item_id from item_redirects
		where parent_id is not distinct from nullif($1::bigint, 0) order by id`, parentID)
}

// GuideList returns the live guides of a product with their content.
func GuideList(ctx context.Context, q db.Querier, productID int64) ([]models.LiveItem, error) {
	return collect.Many[models.LiveItem](ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0) as parent_id, i.slug, r.content
		from items i join revisions r on r.id = i.live_revision_id
		where i.parent_id = $1 and i.kind = 'guide' and i.archived_at is null and i.trashed_at is null order by i.id`, productID)
}

// VersionLabelList returns the live labels of the versions of a product, by
// item.
func VersionLabelList(ctx context.Context, q db.Querier, productID int64) (map[int64]string, error) {
	return collect.Map[int64, string](ctx, q, `
		select i.id, coalesce(r.content->>'label', '') from items i join revisions r on r.id = i.live_revision_id
		where i.parent_id = $1 and i.kind = 'version'`, productID)
}
