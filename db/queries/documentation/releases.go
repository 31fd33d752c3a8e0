package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ReleaseItemListLatest returns the content that the latest release of a scope
// made public.
func ReleaseItemListLatest(ctx context.Context, q db.Querier, scopeID int64) ([]models.LiveItem, error) {
	return collect.Many[models.LiveItem](ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0) as parent_id, i.slug, r.content
		from release_items x join items i on i.id = x.item_id join revisions r on r.id = x.revision_id
		where x.release_id = (select id from releases where scope_id = $1 order by number desc limit 1) order by i.id`, scopeID)
}

// ReleaseListByScope returns the latest releases of a scope up to a number, the
// latest first.
func ReleaseListByScope(ctx context.Context, q db.Querier, scopeID int64, number, limit int) ([]models.Release, error) {
	return collect.Many[models.Release](ctx, q, `
		select id, scope_id, number, published_at from releases where scope_id = $1 and number <= $2 order by number desc limit $3`, scopeID, number, limit)
}

// ReleaseItemList returns the content that a release made public.
func ReleaseItemList(ctx context.Context, q db.Querier, releaseID int64) ([]models.LiveItem, error) {
	return releaseItems(ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0), i.slug, r.content
		from release_items x join items i on i.id = x.item_id join revisions r on r.id = x.revision_id
		where x.release_id = $1 order by i.id`, releaseID)
}

// ReleaseItemListUnlike is ReleaseItemList without the endpoints that another
// release has with the same content.
func ReleaseItemListUnlike(ctx context.Context, q db.Querier, releaseID, otherID int64) ([]models.LiveItem, error) {
	return releaseItems(ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0), i.slug, r.content
		from release_items x join items i on i.id = x.item_id join revisions r on r.id = x.revision_id
		where x.release_id = $1 and (i.kind <> 'endpoint' or (i.slug, r.content_hash) not in (
			select i.slug, r.content_hash
			from release_items x join items i on i.id = x.item_id join revisions r on r.id = x.revision_id
			where x.release_id = $2 and i.kind = 'endpoint'))
		order by i.id`, releaseID, otherID)
}

// releaseItems scans contents as they are: many would check each as JSON again.
func releaseItems(ctx context.Context, q db.Querier, sql string, args ...any) ([]models.LiveItem, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (i models.LiveItem, err error) {
		err = row.Scan(&i.ID, &i.Kind, &i.ParentID, &i.Slug, (*[]byte)(&i.Content))
		return i, err
	})
}

// ReleaseFrameListLatest is ReleaseItemListLatest without the endpoints and
// callbacks.
func ReleaseFrameListLatest(ctx context.Context, q db.Querier, scopeID int64) ([]models.LiveItem, error) {
	return collect.Many[models.LiveItem](ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0) as parent_id, i.slug, r.content
		from release_items x join items i on i.id = x.item_id join revisions r on r.id = x.revision_id
		where x.release_id = (select id from releases where scope_id = $1 order by number desc limit 1) and i.kind not in ('endpoint', 'callback')
		order by i.id`, scopeID)
}

// ReleaseGet returns a release of a product and the one before it of the same
// scope; its id is zero when there was none.
func ReleaseGet(ctx context.Context, q db.Querier, id int64) (productID int64, release models.Release, previousID int64, err error) {
	err = q.QueryRow(ctx, `
		select r.product_id, r.id, r.scope_id, r.number, r.published_at,
			coalesce((select p.id from releases p where p.scope_id = r.scope_id and p.number < r.number order by p.number desc limit 1), 0)
		from releases r where r.id = $1`, id).Scan(&productID, &release.ID, &release.ScopeID, &release.Number, &release.PublishedAt, &previousID)
	return productID, release, previousID, err
}

// ReleaseRevisionList returns which revision of each item a release made
// public.
func ReleaseRevisionList(ctx context.Context, q db.Querier, releaseID int64) (map[int64]int64, error) {
	return collect.Map[int64, int64](ctx, q, `select item_id, revision_id from release_items where release_id = $1`, releaseID)
}

// ReleaseRevisionListOf returns which revision of each item the releases made
// public, by release.
func ReleaseRevisionListOf(ctx context.Context, q db.Querier, releaseIDs []int64) (map[int64]map[int64]int64, error) {
	rows, err := q.Query(ctx, `select release_id, item_id, revision_id from release_items where release_id = any($1)`, releaseIDs)
	if err != nil {
		return nil, err
	}
	releases := map[int64]map[int64]int64{}
	var release, item, revision int64
	_, err = pgx.ForEachRow(rows, []any{&release, &item, &revision}, func() error {
		if releases[release] == nil {
			releases[release] = map[int64]int64{}
		}
		releases[release][item] = revision
		return nil
	})
	return releases, err
}

// ItemListPlain returns items without their content, in order of their ids.
func ItemListPlain(ctx context.Context, q db.Querier, ids []int64) ([]models.LiveItem, error) {
	return collect.Many[models.LiveItem](ctx, q, `
		select id, kind, coalesce(parent_id, 0) as parent_id, slug, null::json as content from items where id = any($1) order by id`, ids)
}
