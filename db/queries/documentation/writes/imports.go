package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	queries "heliograph/db/queries/documentation"
)

// ImportLock locks an import until the transaction ends, and returns it.
func ImportLock(ctx context.Context, q db.Querier, id int64) (models.Import, error) {
	return collect.One[models.Import](ctx, q, queries.ImportRows+`where i.id = $1 for update of i`, id)
}

// ImportInsert adds an import and returns its id.
func ImportInsert(ctx context.Context, q db.Querier, i models.Import) (id int64, err error) {
	return collect.Value[int64](ctx, q, `
		insert into imports (source, created_by, watch_id, token_id, name, address, object, size, sha256, product_id, product_slug, product_name, version_slug)
		values ($1, nullif($2::bigint, 0), nullif($3::bigint, 0), nullif($13::bigint, 0), $4, $5, $6, $7, nullif($8::bytea, ''), nullif($9::bigint, 0), $10, $11, $12) returning id`,
		i.Source, i.CreatedBy, i.WatchID, i.Name, i.Address, i.Object, i.Size, i.SHA256, i.ProductID, i.ProductSlug, i.ProductName, i.VersionSlug, i.TokenID)
}

// ImportUpdateStarted marks an import as being read, and reports whether it still
// is to be read.
func ImportUpdateStarted(ctx context.Context, q db.Querier, id int64) (bool, error) {
	return collect.Changed(ctx, q, `update imports set state = 'reading', started_at = coalesce(started_at, now()), progress = 0, stage = '' where id = $1 and state in ('queued', 'reading')`, id)
}

// ImportUpdateBytes stores what was read from the address of an import.
func ImportUpdateBytes(ctx context.Context, q db.Querier, i models.Import) error {
	return collect.Execute(ctx, q, `update imports set object = $2, size = $3, sha256 = $4 where id = $1`, i.ID, i.Object, i.Size, i.SHA256)
}

// ImportUpdateProgress stores how far reading is, and reports whether the import is
// still to be read.
func ImportUpdateProgress(ctx context.Context, q db.Querier, id int64, progress int, stage string) (bool, error) {
	return collect.Changed(ctx, q, `update imports set progress = $2, stage = $3 where id = $1 and state = 'reading'`, id, progress, stage)
}

// ImportUpdateRead stores what reading found, and reports whether the import was still
// to be read.
func ImportUpdateRead(ctx context.Context, q db.Querier, r models.ImportResult) (bool, error) {
	return collect.Changed(ctx, q, `
		update imports set state = $2, format = $3, format_version = $4, title = $5, title_version = $6, operations = $7, schemas = $8, added = $9, changed = $10,
			removed = $11, unchanged = $12, breaking = $13, findings = $14, finding_count = $15, plan = $16, converted = $17, address = $18, finished_at = now(), progress = 100, stage = ''
		where id = $1 and state = 'reading'`,
		r.ID, r.State, r.Format, r.FormatVersion, r.Title, r.TitleVersion, r.Operations, r.Schemas, r.Added, r.Changed, r.Removed, r.Unchanged, r.Breaking,
		string(r.Findings), r.FindingCount, string(r.Plan), r.Converted, r.Address)
}

// ImportUpdateEnded ends an import that is not read yet as failed or cancelled, and
// reports whether it was open.
func ImportUpdateEnded(ctx context.Context, q db.Querier, i models.Import) (bool, error) {
	return collect.Changed(ctx, q, `update imports set state = $2, error = $3, address = $4, finished_at = now(), stage = '' where id = $1 and state in ('queued', 'reading')`, i.ID, i.State, i.Error, i.Address)
}

// ImportUpdateDecided stores the decision about an import.
func ImportUpdateDecided(ctx context.Context, q db.Querier, i models.Import, by int64) error {
	return collect.Execute(ctx, q, `
		update imports set state = $2, decided_at = now(), decided_by = nullif($3::bigint, 0), change_set_id = nullif($4::bigint, 0), skipped = coalesce($5::text[], '{}'), product_id = coalesce(product_id, nullif($6::bigint, 0))
		where id = $1`, i.ID, i.State, by, i.ChangeSetID, i.Skipped, i.ProductID)
}

// ImportWatchListDue claims the watched addresses that are due: their next time is
// moved on.
func ImportWatchListDue(ctx context.Context, q db.Querier, limit int) ([]int64, error) {
	return collect.Values[int64](ctx, q, `
		update import_watches set next_at = now() + make_interval(hours => every_hours) where id in (
			select id from import_watches where next_at <= now() order by next_at limit $1 for update skip locked) returning id`, limit)
}

// ImportWatchInsert adds a watched address.
func ImportWatchInsert(ctx context.Context, q db.Querier, w models.ImportWatched) (id int64, err error) {
	return collect.Value[int64](ctx, q, `insert into import_watches (address, product_id, version_slug, every_hours, created_by) values ($1, $2, $3, $4, $5) returning id`,
		w.Address, w.ProductID, w.VersionSlug, w.EveryHours, w.CreatedBy)
}

// ImportWatchUpdateRead stores the outcome of reading a watched address.
func ImportWatchUpdateRead(ctx context.Context, q db.Querier, w models.ImportWatched) error {
	return collect.Execute(ctx, q, `
		update import_watches set last_at = now(), last_outcome = $2, last_sha256 = coalesce(nullif($3::bytea, ''), last_sha256), failures = case when $4 then failures + 1 else 0 end where id = $1`,
		w.ID, w.LastOutcome, w.LastSHA256, w.Failures > 0)
}

// ImportWatchDelete deletes a watched address.
func ImportWatchDelete(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `delete from import_watches where id = $1`, id)
}

// ImportUpdateSwept forgets the storage keys of an import.
func ImportUpdateSwept(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `update imports set object = '', converted = '' where id = $1`, id)
}
