package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

const themeRevisionColumns = `r.id, r.surface, r.number, r.document, r.stylesheet, r.hash, r.origin,
	coalesce(r.author_id, 0) as author_id, coalesce(a.name, '') as author, r.created_at`

// ThemeCurrentList returns the newest revision of each surface that has one.
func ThemeCurrentList(ctx context.Context, q db.Querier) ([]models.ThemeRevision, error) {
	return many[models.ThemeRevision](ctx, q, `
		select distinct on (r.surface) `+themeRevisionColumns+`
		from theme_revisions r left join admin_users a on a.id = r.author_id
		order by r.surface, r.number desc`)
}

// ThemeRevisionList returns the revisions of a surface, the newest first.
func ThemeRevisionList(ctx context.Context, q db.Querier, surface string, limit int) ([]models.ThemeRevision, error) {
	return many[models.ThemeRevision](ctx, q, `
		select `+themeRevisionColumns+`
		from theme_revisions r left join admin_users a on a.id = r.author_id
		where r.surface = $1 order by r.number desc limit $2`, surface, limit)
}

// ThemeRevisionGet returns a revision of a surface.
func ThemeRevisionGet(ctx context.Context, q db.Querier, surface string, number int) (models.ThemeRevision, error) {
	return one[models.ThemeRevision](ctx, q, `
		select `+themeRevisionColumns+`
		from theme_revisions r left join admin_users a on a.id = r.author_id
		where r.surface = $1 and r.number = $2`, surface, number)
}

// ThemeRevisionInsert publishes a theme and returns its number. Two at once take
// numbers one after the other.
func ThemeRevisionInsert(ctx context.Context, q db.Querier, r models.ThemeRevision) (number int, err error) {
	if _, err := q.Exec(ctx, `select pg_advisory_xact_lock(hashtext('theme ' || $1))`, r.Surface); err != nil {
		return 0, err
	}
	err = q.QueryRow(ctx, `
		insert into theme_revisions (surface, number, document, stylesheet, hash, origin, author_id)
		select $1, coalesce(max(number), 0) + 1, $2::jsonb, $3, $4, $5, nullif($6::bigint, 0) from theme_revisions where surface = $1
		returning number`, r.Surface, r.Document, r.Stylesheet, r.Hash, r.Origin, r.AuthorID).Scan(&number)
	return number, err
}

// ThemeStylesheetGet returns the style sheet of a surface with a hash, published or of
// the draft.
func ThemeStylesheetGet(ctx context.Context, q db.Querier, surface, hash string) (text string, err error) {
	err = q.QueryRow(ctx, `
		select stylesheet from theme_revisions where surface = $1 and hash = $2
		union all select stylesheet from theme_drafts where surface = $1 and hash = $2 limit 1`, surface, hash).Scan(&text)
	return text, err
}

// ThemeNameGet returns the name of the public portal, empty for the default one.
func ThemeNameGet(ctx context.Context, q db.Querier) (name string, err error) {
	err = q.QueryRow(ctx, `
		select coalesce((select document->'brand'->>'name' from theme_revisions
			where surface = 'public' order by number desc limit 1), '')`).Scan(&name)
	return name, err
}

// ThemeDraftList returns the drafts.
func ThemeDraftList(ctx context.Context, q db.Querier) ([]models.ThemeDraft, error) {
	return many[models.ThemeDraft](ctx, q, `
		select d.surface, d.document, d.stylesheet, d.hash, d.version, coalesce(d.author_id, 0) as author_id, coalesce(a.name, '') as author, d.updated_at
		from theme_drafts d left join admin_users a on a.id = d.author_id`)
}

// ThemeDraftLock returns the draft of a surface and locks it until tx ends.
func ThemeDraftLock(ctx context.Context, q db.Querier, surface string) (models.ThemeDraft, error) {
	return one[models.ThemeDraft](ctx, q, `
		select surface, document, stylesheet, hash, version, coalesce(author_id, 0) as author_id, '' as author, updated_at
		from theme_drafts where surface = $1 for update`, surface)
}

// ThemeDraftUpsert stores a draft over one with the version before, zero for none, or
// over one of the same author, and returns its version. A draft of another version is
// pgx.ErrNoRows.
func ThemeDraftUpsert(ctx context.Context, q db.Querier, d models.ThemeDraft) (version int, err error) {
	err = q.QueryRow(ctx, `
		insert into theme_drafts as d (surface, document, stylesheet, hash, author_id, version)
		select $1, $2::jsonb, $3, $4, nullif($5::bigint, 0), $6 + 1
		where $6 = 0 or exists (select from theme_drafts where surface = $1)
		on conflict (surface) do update set document = excluded.document, stylesheet = excluded.stylesheet, hash = excluded.hash,
			author_id = excluded.author_id, version = excluded.version, updated_at = now()
		where d.version = $6 or d.author_id = $5::bigint and $6 > 0
		returning version`, d.Surface, d.Document, d.Stylesheet, d.Hash, d.AuthorID, d.Version).Scan(&version)
	return version, err
}

// ThemeDraftDelete removes the draft of a surface.
func ThemeDraftDelete(ctx context.Context, q db.Querier, surface string) error {
	_, err := q.Exec(ctx, `delete from theme_drafts where surface = $1`, surface)
	return err
}

// ThemePictureGet returns a picture.
func ThemePictureGet(ctx context.Context, q db.Querier, name string) (models.ThemePicture, error) {
	return one[models.ThemePicture](ctx, q, `select name, object, content_type, size from theme_pictures where name = $1`, name)
}

// ThemePictureInsert stores a picture, unless it is there already, and reports whether
// it was stored.
func ThemePictureInsert(ctx context.Context, q db.Querier, p models.ThemePicture) (bool, error) {
	tag, err := q.Exec(ctx, `
		insert into theme_pictures (name, object, content_type, size) values ($1, $2, $3, $4)
		on conflict (name) do update set created_at = now() where theme_pictures.object = excluded.object`, p.Name, p.Object, p.ContentType, p.Size)
	return tag.RowsAffected() > 0, err
}

// ThemePictureDeleteUnused deletes the pictures that are older than a day and that no
// draft and no revision names.
func ThemePictureDeleteUnused(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `
		delete from theme_pictures p where p.created_at < now() - interval '1 day'
			and not exists (select from theme_revisions r where strpos(r.document::text, p.name) > 0)
			and not exists (select from theme_drafts d where strpos(d.document::text, p.name) > 0)`)
	return err
}
