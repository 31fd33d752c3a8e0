package queries

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// PublishedScopeList returns every product and version that may be read (live,
// not archived, not in the trash, and under such a product) with its latest
// release. Of practice products it returns one administrator's own, none for zero.
func PublishedScopeList(ctx context.Context, q db.Querier, practiceOf int64) ([]models.PublishedScope, error) {
	return collect.Many[models.PublishedScope](ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0) as parent_id, i.slug, r.id as release_id, r.number, r.published_at
		from items i left join items p on p.id = i.parent_id
		cross join lateral (select id, number, published_at from releases where scope_id = i.id order by number desc limit 1) r
		where i.kind in ('product', 'version') and i.live_revision_id is not null and i.archived_at is null and i.trashed_at is null
		  and (p.id is null or p.live_revision_id is not null and p.archived_at is null and p.trashed_at is null)
		  and (i.practice_of is null or i.practice_of = $1)
		order by i.id`, practiceOf)
}

// PublishedRedirectList returns the addresses that products, versions, endpoints,
// callbacks and guides had before they moved.
func PublishedRedirectList(ctx context.Context, q db.Querier) ([]models.ItemRedirect, error) {
	return collect.Many[models.ItemRedirect](ctx, q, `
		select kind, coalesce(parent_id, 0) as parent_id, slug, item_id from item_redirects
		where kind not in ('category', 'schema') order by id`)
}

// PublishedItemList returns what releases consist of, by release.
func PublishedItemList(ctx context.Context, q db.Querier, releaseIDs []int64) (map[int64][]models.PublishedItem, error) {
	rows, err := q.Query(ctx, `
		select x.release_id, i.kind, i.slug, i.id, x.revision_id
		from release_items x join items i on i.id = x.item_id
		where x.release_id = any($1) order by x.release_id, i.id`, releaseIDs)
	if err != nil {
		return nil, err
	}
	byRelease := map[int64][]models.PublishedItem{}
	var release int64
	var item models.PublishedItem
	_, err = pgx.ForEachRow(rows, []any{&release, &item.Kind, &item.Slug, &item.ID, &item.RevisionID}, func() error {
		byRelease[release] = append(byRelease[release], item)
		return nil
	})
	return byRelease, err
}

// PublishedSince returns since when the guides of releases have been public, by
// revision: when they first were part of a release.
func PublishedSince(ctx context.Context, q db.Querier, releaseIDs []int64) (map[int64]time.Time, error) {
	return collect.Map[int64, time.Time](ctx, q, `
		select x.revision_id, min(r.published_at)
		from release_items x join items i on i.id = x.item_id and i.kind = 'guide'
		join release_items y on y.item_id = x.item_id and y.revision_id = x.revision_id
		join releases r on r.id = y.release_id
		where x.release_id = any($1) group by x.revision_id`, releaseIDs)
}

// RevisionContentList returns the content of revisions, by revision.
func RevisionContentList(ctx context.Context, q db.Querier, ids []int64) (map[int64]json.RawMessage, error) {
	return revisionColumn(ctx, q, `select id, content from revisions where id = any($1)`, ids)
}

// RevisionOutlineList returns the outlines of revisions, by revision; nil for a
// revision that has none.
func RevisionOutlineList(ctx context.Context, q db.Querier, ids []int64) (map[int64]json.RawMessage, error) {
	return revisionColumn(ctx, q, `select id, outline from revisions where id = any($1)`, ids)
}

func revisionColumn(ctx context.Context, q db.Querier, sql string, ids []int64) (map[int64]json.RawMessage, error) {
	rows, err := q.Query(ctx, sql, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]json.RawMessage, len(ids))
	var id int64
	var value []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &value}, func() error {
		byID[id] = append(json.RawMessage(nil), value...)
		return nil
	})
	return byID, err
}
