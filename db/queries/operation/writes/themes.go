package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ThemeRevisionInsert publishes a theme and returns its number. Two at once take
// numbers one after the other.
func ThemeRevisionInsert(ctx context.Context, q db.Querier, r models.ThemeRevision) (number int, err error) {
	if _, err := q.Exec(ctx, `select pg_advisory_xact_lock(hashtext('theme ' || $1))`, r.Surface); err != nil {
		return 0, err
	}
	return collect.Value[int](ctx, q, `
		insert into theme_revisions (surface, number, document, stylesheet, hash, origin, author_id)
		select $1, coalesce(max(number), 0) + 1, $2::jsonb, $3, $4, $5, nullif($6::bigint, 0) from theme_revisions where surface = $1
		returning number`, r.Surface, r.Document, r.Stylesheet, r.Hash, r.Origin, r.AuthorID)
}

// ThemeDraftLock returns the draft of a surface and locks it until tx ends.
func ThemeDraftLock(ctx context.Context, q db.Querier, surface string) (models.ThemeDraft, error) {
	return collect.One[models.ThemeDraft](ctx, q, `
		select surface, document, stylesheet, hash, version, coalesce(author_id, 0) as author_id, '' as author, updated_at
		from theme_drafts where surface = $1 for update`, surface)
}

// ThemeDraftUpsert stores a draft over one with the version before, zero for none, or
// over one of the same author, and returns its version. A draft of another version is
// pgx.ErrNoRows.
func ThemeDraftUpsert(ctx context.Context, q db.Querier, d models.ThemeDraft) (version int, err error) {
	return collect.Value[int](ctx, q, `
		insert into theme_drafts as d (surface, document, stylesheet, hash, author_id, version)
		select $1, $2::jsonb, $3, $4, nullif($5::bigint, 0), $6 + 1
		where $6 = 0 or exists (select from theme_drafts where surface = $1)
		on conflict (surface) do update set document = excluded.document, stylesheet = excluded.stylesheet, hash = excluded.hash,
			author_id = excluded.author_id, version = excluded.version, updated_at = now()
		where d.version = $6 or d.author_id = $5::bigint and $6 > 0
		returning version`, d.Surface, d.Document, d.Stylesheet, d.Hash, d.AuthorID, d.Version)
}

// ThemeDraftDelete removes the draft of a surface.
func ThemeDraftDelete(ctx context.Context, q db.Querier, surface string) error {
	return collect.Execute(ctx, q, `delete from theme_drafts where surface = $1`, surface)
}

// ThemePictureInsert stores a picture, unless it is there already, and reports whether
// it was stored.
func ThemePictureInsert(ctx context.Context, q db.Querier, p models.ThemePicture) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into theme_pictures (name, object, content_type, size) values ($1, $2, $3, $4)
		on conflict (name) do update set created_at = now() where theme_pictures.object = excluded.object`, p.Name, p.Object, p.ContentType, p.Size)
}

// ThemePictureDeleteUnused deletes the pictures that are older than a day and that no
// draft and no revision names.
func ThemePictureDeleteUnused(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `
		delete from theme_pictures p where p.created_at < now() - interval '1 day'
			and not exists (select from theme_revisions r where strpos(r.document::text, p.name) > 0)
			and not exists (select from theme_drafts d where strpos(d.document::text, p.name) > 0)`)
}
