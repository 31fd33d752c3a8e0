package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const themeRevisionColumns = `r.id, r.surface, r.number, r.document, r.stylesheet, r.hash, r.origin,
	coalesce(r.author_id, 0) as author_id, coalesce(a.name, '') as author, r.created_at`

// ThemeCurrentList returns the newest revision of each surface that has one.
func ThemeCurrentList(ctx context.Context, q db.Querier) ([]models.ThemeRevision, error) {
	return collect.Many[models.ThemeRevision](ctx, q, `
		select distinct on (r.surface) `+themeRevisionColumns+`
		from theme_revisions r left join admin_users a on a.id = r.author_id
		order by r.surface, r.number desc`)
}

// ThemeRevisionList returns the revisions of a surface, the newest first.
func ThemeRevisionList(ctx context.Context, q db.Querier, surface string, limit int) ([]models.ThemeRevision, error) {
	return collect.Many[models.ThemeRevision](ctx, q, `
		select `+themeRevisionColumns+`
		from theme_revisions r left join admin_users a on a.id = r.author_id
		where r.surface = $1 order by r.number desc limit $2`, surface, limit)
}

// ThemeRevisionGet returns a revision of a surface.
func ThemeRevisionGet(ctx context.Context, q db.Querier, surface string, number int) (models.ThemeRevision, error) {
	return collect.One[models.ThemeRevision](ctx, q, `
		select `+themeRevisionColumns+`
		from theme_revisions r left join admin_users a on a.id = r.author_id
		where r.surface = $1 and r.number = $2`, surface, number)
}

// ThemeStylesheetGet returns the style sheet of a surface with a hash, published or of
// the draft.
func ThemeStylesheetGet(ctx context.Context, q db.Querier, surface, hash string) (text string, err error) {
	return collect.Value[string](ctx, q, `
		select stylesheet from theme_revisions where surface = $1 and hash = $2
		union all select stylesheet from theme_drafts where surface = $1 and hash = $2 limit 1`, surface, hash)
}

// ThemeNameGet returns the name of the public portal, empty for the default one.
func ThemeNameGet(ctx context.Context, q db.Querier) (name string, err error) {
	return collect.Value[string](ctx, q, `
		select coalesce((select document->'brand'->>'name' from theme_revisions
			where surface = 'public' order by number desc limit 1), '')`)
}

// ThemeDraftList returns the drafts.
func ThemeDraftList(ctx context.Context, q db.Querier) ([]models.ThemeDraft, error) {
	return collect.Many[models.ThemeDraft](ctx, q, `
		select d.surface, d.document, d.stylesheet, d.hash, d.version, coalesce(d.author_id, 0) as author_id, coalesce(a.name, '') as author, d.updated_at
		from theme_drafts d left join admin_users a on a.id = d.author_id`)
}

// ThemePictureGet returns a picture.
func ThemePictureGet(ctx context.Context, q db.Querier, name string) (models.ThemePicture, error) {
	return collect.One[models.ThemePicture](ctx, q, `select name, object, content_type, size from theme_pictures where name = $1`, name)
}
