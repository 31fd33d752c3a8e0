package queries

import (
	"context"
	"encoding/json"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

const importRows = `
	select i.id, i.source, i.state, coalesce(i.created_by, 0) as created_by, coalesce(nullif(u.name, ''), u.email, '') as creator_name,
		coalesce(i.watch_id, 0) as watch_id, coalesce(i.token_id, 0) as token_id, i.created_at, i.started_at, i.finished_at, i.decided_at,
		i.name, i.address, i.object, i.converted, i.size, coalesce(i.sha256, '') as sha256, coalesce(i.product_id, 0) as product_id, i.product_slug, i.product_name, i.version_slug,
		i.progress, i.stage, i.format, i.format_version, i.title, i.title_version, i.operations, i.schemas, i.added, i.changed, i.removed, i.unchanged, i.breaking,
		i.finding_count, i.error, i.skipped, coalesce(i.change_set_id, 0) as change_set_id
	from imports i left join admin_users u on u.id = i.created_by `

// ImportGet returns an import.
func ImportGet(ctx context.Context, q db.Querier, id int64) (models.Import, error) {
	return one[models.Import](ctx, q, importRows+`where i.id = $1`, id)
}

// ImportLock locks an import until the transaction ends, and returns it.
func ImportLock(ctx context.Context, q db.Querier, id int64) (models.Import, error) {
	return one[models.Import](ctx, q, importRows+`where i.id = $1 for update of i`, id)
}

// ImportListNewest returns imports before an id, the newest first. A zero id begins
// with the newest. With an editor it returns the imports into the editor's products and
// the editor's own ones.
func ImportListNewest(ctx context.Context, q db.Querier, editorID, before int64, limit int) ([]models.Import, error) {
	return many[models.Import](ctx, q, importRows+`
		where ($1 = 0 or i.created_by = $1 or i.product_id in (select product_id from product_editors where admin_user_id = $1))
			and ($2 = 0 or i.id < $2) order by i.id desc limit $3`, editorID, before, limit)
}

// ImportGetSame returns the newest import of the same bytes into the same version that
// was read, besides the import with the id.
func ImportGetSame(ctx context.Context, q db.Querier, i models.Import) (models.Import, error) {
	return one[models.Import](ctx, q, importRows+`
		where i.sha256 = $1 and i.id < $2 and i.product_slug = $3 and i.version_slug = $4 and i.state in ('ready', 'unchanged', 'accepted', 'discarded', 'failed')
		order by i.id desc limit 1`, i.SHA256, i.ID, i.ProductSlug, i.VersionSlug)
}

// ImportGetBase returns the newest import into a version with a change set that was published.
func ImportGetBase(ctx context.Context, q db.Querier, productID int64, version string) (models.Import, error) {
	return one[models.Import](ctx, q, importRows+`join change_sets s on s.id = i.change_set_id
		where i.product_id = $1 and i.version_slug = $2 and i.state = 'accepted' and s.state = 'published' order by i.decided_at desc limit 1`, productID, version)
}

// ImportInsert adds an import and returns its id.
func ImportInsert(ctx context.Context, q db.Querier, i models.Import) (id int64, err error) {
	err = q.QueryRow(ctx, `
		insert into imports (source, created_by, watch_id, token_id, name, address, object, size, sha256, product_id, product_slug, product_name, version_slug)
		values ($1, nullif($2::bigint, 0), nullif($3::bigint, 0), nullif($13::bigint, 0), $4, $5, $6, $7, nullif($8::bytea, ''), nullif($9::bigint, 0), $10, $11, $12) returning id`,
		i.Source, i.CreatedBy, i.WatchID, i.Name, i.Address, i.Object, i.Size, i.SHA256, i.ProductID, i.ProductSlug, i.ProductName, i.VersionSlug, i.TokenID).Scan(&id)
	return id, err
}

// ImportUpdateStarted marks an import as being read, and reports whether it still
// is to be read.
func ImportUpdateStarted(ctx context.Context, q db.Querier, id int64) (bool, error) {
	tag, err := q.Exec(ctx, `update imports set state = 'reading', started_at = coalesce(started_at, now()), progress = 0, stage = '' where id = $1 and state in ('queued', 'reading')`, id)
	return tag.RowsAffected() == 1, err
}

// ImportUpdateBytes stores what was read from the address of an import.
func ImportUpdateBytes(ctx context.Context, q db.Querier, i models.Import) error {
	_, err := q.Exec(ctx, `update imports set object = $2, size = $3, sha256 = $4 where id = $1`, i.ID, i.Object, i.Size, i.SHA256)
	return err
}

// ImportUpdateProgress stores how far reading is, and reports whether the import is
// still to be read.
func ImportUpdateProgress(ctx context.Context, q db.Querier, id int64, progress int, stage string) (bool, error) {
	tag, err := q.Exec(ctx, `update imports set progress = $2, stage = $3 where id = $1 and state = 'reading'`, id, progress, stage)
	return tag.RowsAffected() == 1, err
}

// ImportUpdateRead stores what reading found, and reports whether the import was still
// to be read.
func ImportUpdateRead(ctx context.Context, q db.Querier, r models.ImportResult) (bool, error) {
	tag, err := q.Exec(ctx, `
		update imports set state = $2, format = $3, format_version = $4, title = $5, title_version = $6, operations = $7, schemas = $8, added = $9, changed = $10,
			removed = $11, unchanged = $12, breaking = $13, findings = $14, finding_count = $15, plan = $16, converted = $17, address = $18, finished_at = now(), progress = 100, stage = ''
		where id = $1 and state = 'reading'`,
		r.ID, r.State, r.Format, r.FormatVersion, r.Title, r.TitleVersion, r.Operations, r.Schemas, r.Added, r.Changed, r.Removed, r.Unchanged, r.Breaking,
		string(r.Findings), r.FindingCount, string(r.Plan), r.Converted, r.Address)
	return tag.RowsAffected() == 1, err
}

// ImportUpdateEnded ends an import that is not read yet as failed or cancelled, and
// reports whether it was open.
func ImportUpdateEnded(ctx context.Context, q db.Querier, i models.Import) (bool, error) {
	tag, err := q.Exec(ctx, `update imports set state = $2, error = $3, address = $4, finished_at = now(), stage = '' where id = $1 and state in ('queued', 'reading')`, i.ID, i.State, i.Error, i.Address)
	return tag.RowsAffected() == 1, err
}

// ImportUpdateDecided stores the decision about an import.
func ImportUpdateDecided(ctx context.Context, q db.Querier, i models.Import, by int64) error {
	_, err := q.Exec(ctx, `
		update imports set state = $2, decided_at = now(), decided_by = nullif($3::bigint, 0), change_set_id = nullif($4::bigint, 0), skipped = coalesce($5::text[], '{}'), product_id = coalesce(product_id, nullif($6::bigint, 0))
		where id = $1`, i.ID, i.State, by, i.ChangeSetID, i.Skipped, i.ProductID)
	return err
}

// ImportDetails returns the findings and the plan of an import as JSON.
func ImportDetails(ctx context.Context, q db.Querier, id int64) (findings, plan json.RawMessage, err error) {
	var f, p string
	err = q.QueryRow(ctx, `select findings::text, plan::text from imports where id = $1`, id).Scan(&f, &p)
	return json.RawMessage(f), json.RawMessage(p), err
}

// ImportActorGet returns the administrator with an id.
func ImportActorGet(ctx context.Context, q db.Querier, id int64) (models.ImportActor, error) {
	return one[models.ImportActor](ctx, q, `select id, role, active from admin_users where id = $1`, id)
}

const importWatches = `
	select w.id, w.address, w.product_id, p.slug as product_slug, w.version_slug, w.every_hours, w.created_by, coalesce(nullif(u.name, ''), u.email) as creator_name,
		w.created_at, w.next_at, w.last_at, coalesce(w.last_sha256, '') as last_sha256, w.last_outcome, w.failures
	from import_watches w join admin_users u on u.id = w.created_by join items p on p.id = w.product_id `

// ImportWatchList returns the watched addresses of an administrator, or all for a zero
// id, in the order of their addresses.
func ImportWatchList(ctx context.Context, q db.Querier, adminID int64) ([]models.ImportWatched, error) {
	return many[models.ImportWatched](ctx, q, importWatches+`where $1 = 0 or w.created_by = $1 order by w.address, w.id`, adminID)
}

// ImportWatchGet returns a watched address.
func ImportWatchGet(ctx context.Context, q db.Querier, id int64) (models.ImportWatched, error) {
	return one[models.ImportWatched](ctx, q, importWatches+`where w.id = $1`, id)
}

// ImportWatchListDue claims the watched addresses that are due: their next time is
// moved on.
func ImportWatchListDue(ctx context.Context, q db.Querier, limit int) ([]int64, error) {
	return values[int64](ctx, q, `
		update import_watches set next_at = now() + make_interval(hours => every_hours) where id in (
			select id from import_watches where next_at <= now() order by next_at limit $1 for update skip locked) returning id`, limit)
}

// ImportWatchInsert adds a watched address.
func ImportWatchInsert(ctx context.Context, q db.Querier, w models.ImportWatched) (id int64, err error) {
	err = q.QueryRow(ctx, `insert into import_watches (address, product_id, version_slug, every_hours, created_by) values ($1, $2, $3, $4, $5) returning id`,
		w.Address, w.ProductID, w.VersionSlug, w.EveryHours, w.CreatedBy).Scan(&id)
	return id, err
}

// ImportWatchUpdateRead stores the outcome of reading a watched address.
func ImportWatchUpdateRead(ctx context.Context, q db.Querier, w models.ImportWatched) error {
	_, err := q.Exec(ctx, `
		update import_watches set last_at = now(), last_outcome = $2, last_sha256 = coalesce(nullif($3::bytea, ''), last_sha256), failures = case when $4 then failures + 1 else 0 end where id = $1`,
		w.ID, w.LastOutcome, w.LastSHA256, w.Failures > 0)
	return err
}

// ImportWatchDelete deletes a watched address.
func ImportWatchDelete(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `delete from import_watches where id = $1`, id)
	return err
}

// ImportListOld returns the storage keys of imports that ended before a time and hold
// nothing that a later import needs.
func ImportListOld(ctx context.Context, q db.Querier, before time.Time) ([]models.Import, error) {
	return many[models.Import](ctx, q, importRows+`
		where i.finished_at < $1 and i.state in ('failed', 'cancelled', 'discarded', 'unchanged') and (i.object <> '' or i.converted <> '') order by i.id limit 100`, before)
}

// ImportUpdateSwept forgets the storage keys of an import.
func ImportUpdateSwept(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update imports set object = '', converted = '' where id = $1`, id)
	return err
}

// ItemCountProducts returns the number of products, the archived ones included.
func ItemCountProducts(ctx context.Context, q db.Querier) (n int, err error) {
	err = q.QueryRow(ctx, `select count(*) from items where kind = 'product' and practice_of is null`).Scan(&n)
	return n, err
}

// ImportProductList returns the products that an Editor writes, or all for a zero id, in
// the order of their names.
func ImportProductList(ctx context.Context, q db.Querier, editorID int64) ([]models.ImportProduct, error) {
	return many[models.ImportProduct](ctx, q, `
		select i.id, coalesce(nullif(r.content->>'name', ''), i.slug) as name from items i
		left join revisions r on r.id = coalesce(i.live_revision_id, i.draft_revision_id)
		where i.kind = 'product' and i.practice_of is null and i.trashed_at is null and i.archived_at is null and (i.live_revision_id is not null or i.draft_revision_id is not null)
			and ($1 = 0 or i.id in (select product_id from product_editors where admin_user_id = $1)) order by 2, 1`, editorID)
}
