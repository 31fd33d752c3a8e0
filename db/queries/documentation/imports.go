package queries

import (
	"context"
	"encoding/json"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ImportRows selects imports i, each with its administrator u.
const ImportRows = `
	select i.id, i.source, i.state, coalesce(i.created_by, 0) as created_by, coalesce(nullif(u.name, ''), u.email, '') as creator_name,
		coalesce(i.watch_id, 0) as watch_id, coalesce(i.token_id, 0) as token_id, i.created_at, i.started_at, i.finished_at, i.decided_at,
		i.name, i.address, i.object, i.converted, i.size, coalesce(i.sha256, '') as sha256, coalesce(i.product_id, 0) as product_id, i.product_slug, i.product_name, i.version_slug,
		i.progress, i.stage, i.format, i.format_version, i.title, i.title_version, i.operations, i.schemas, i.added, i.changed, i.removed, i.unchanged, i.breaking,
		i.finding_count, i.error, i.skipped, coalesce(i.change_set_id, 0) as change_set_id
	from imports i left join admin_users u on u.id = i.created_by `

// ImportGet returns an import.
func ImportGet(ctx context.Context, q db.Querier, id int64) (models.Import, error) {
	return collect.One[models.Import](ctx, q, ImportRows+`where i.id = $1`, id)
}

// ImportListNewest returns imports before an id, the newest first. A zero id begins
// with the newest. With an editor it returns the imports into the editor's products and
// the editor's own ones.
func ImportListNewest(ctx context.Context, q db.Querier, editorID, before int64, limit int) ([]models.Import, error) {
	return collect.Many[models.Import](ctx, q, ImportRows+`
		where ($1 = 0 or i.created_by = $1 or i.product_id in (select product_id from product_editors where admin_user_id = $1))
			and ($2 = 0 or i.id < $2) order by i.id desc limit $3`, editorID, before, limit)
}

// ImportGetSame returns the newest import of the same bytes into the same version that
// was read, besides the import with the id.
func ImportGetSame(ctx context.Context, q db.Querier, i models.Import) (models.Import, error) {
	return collect.One[models.Import](ctx, q, ImportRows+`
		where i.sha256 = $1 and i.id < $2 and i.product_slug = $3 and i.version_slug = $4 and i.state in ('ready', 'unchanged', 'accepted', 'discarded', 'failed')
		order by i.id desc limit 1`, i.SHA256, i.ID, i.ProductSlug, i.VersionSlug)
}

// ImportGetBase returns the newest import into a version with a change set that was published.
func ImportGetBase(ctx context.Context, q db.Querier, productID int64, version string) (models.Import, error) {
	return collect.One[models.Import](ctx, q, ImportRows+`join change_sets s on s.id = i.change_set_id
		where i.product_id = $1 and i.version_slug = $2 and i.state = 'accepted' and s.state = 'published' order by i.decided_at desc limit 1`, productID, version)
}

// ImportDetails returns the findings and the plan of an import as JSON.
func ImportDetails(ctx context.Context, q db.Querier, id int64) (findings, plan json.RawMessage, err error) {
	var f, p string
	err = q.QueryRow(ctx, `select findings::text, plan::text from imports where id = $1`, id).Scan(&f, &p)
	return json.RawMessage(f), json.RawMessage(p), err
}

// ImportActorGet returns the administrator with an id.
func ImportActorGet(ctx context.Context, q db.Querier, id int64) (models.ImportActor, error) {
	return collect.One[models.ImportActor](ctx, q, `select id, role, active from admin_users where id = $1`, id)
}

const importWatches = `
	select w.id, w.address, w.product_id, p.slug as product_slug, w.version_slug, w.every_hours, w.created_by, coalesce(nullif(u.name, ''), u.email) as creator_name,
		w.created_at, w.next_at, w.last_at, coalesce(w.last_sha256, '') as last_sha256, w.last_outcome, w.failures
	from import_watches w join admin_users u on u.id = w.created_by join items p on p.id = w.product_id `

// ImportWatchList returns the watched addresses of an administrator, or all for a zero
// id, in the order of their addresses.
func ImportWatchList(ctx context.Context, q db.Querier, adminID int64) ([]models.ImportWatched, error) {
	return collect.Many[models.ImportWatched](ctx, q, importWatches+`where $1 = 0 or w.created_by = $1 order by w.address, w.id`, adminID)
}

// ImportWatchGet returns a watched address.
func ImportWatchGet(ctx context.Context, q db.Querier, id int64) (models.ImportWatched, error) {
	return collect.One[models.ImportWatched](ctx, q, importWatches+`where w.id = $1`, id)
}

// ImportListOld returns the storage keys of imports that ended before a time and hold
// nothing that a later import needs.
func ImportListOld(ctx context.Context, q db.Querier, before time.Time) ([]models.Import, error) {
	return collect.Many[models.Import](ctx, q, ImportRows+`
		where i.finished_at < $1 and i.state in ('failed', 'cancelled', 'discarded', 'unchanged') and (i.object <> '' or i.converted <> '') order by i.id limit 100`, before)
}

// ItemCountProducts returns the number of products, the archived ones included.
func ItemCountProducts(ctx context.Context, q db.Querier) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from items where kind = 'product' and practice_of is null`)
}

// ImportProductList returns the products that an Editor writes, or all for a zero id, in
// the order of their names.
func ImportProductList(ctx context.Context, q db.Querier, editorID int64) ([]models.ImportProduct, error) {
	return collect.Many[models.ImportProduct](ctx, q, `
		select i.id, coalesce(nullif(r.content->>'name', ''), i.slug) as name from items i
		left join revisions r on r.id = coalesce(i.live_revision_id, i.draft_revision_id)
		where i.kind = 'product' and i.practice_of is null and i.trashed_at is null and i.archived_at is null and (i.live_revision_id is not null or i.draft_revision_id is not null)
			and ($1 = 0 or i.id in (select product_id from product_editors where admin_user_id = $1)) order by 2, 1`, editorID)
}
