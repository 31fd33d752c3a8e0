package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// GalleryFileGet returns a file.
func GalleryFileGet(ctx context.Context, q db.Querier, id int64) (models.GalleryFile, error) {
	return collect.One[models.GalleryFile](ctx, q, `
		select id, item_id, state, problem, coalesce(object, '') as object, mime_type, source_sha256, coalesce(created_by, 0) as created_by
		from gallery_files where id = $1`, id)
}

// GalleryFileListWaiting returns the ids of files with sizes that are to be made since
// before a time.
func GalleryFileListWaiting(ctx context.Context, q db.Querier, before time.Time) ([]int64, error) {
	return collect.Values[int64](ctx, q, `select id from gallery_files where state = 'waiting' and created_at < $1 order by id limit 1000`, before)
}

// GalleryRenditionList returns what an item serves, the largest first.
func GalleryRenditionList(ctx context.Context, q db.Querier, itemID string) ([]models.GalleryRendition, error) {
	return collect.Many[models.GalleryRendition](ctx, q, `
		select r.file_id, r.variant, r.object, r.mime_type, r.size, r.sha256, r.width, r.height
		from gallery_items i join gallery_renditions r on r.file_id = i.file_id
		where i.id = $1 order by array_position(array['full', 'large', 'medium', 'small'], r.variant)`, itemID)
}

// GalleryPictureList returns what the public images of published pages serve, by item,
// the largest first.
func GalleryPictureList(ctx context.Context, q db.Querier) ([]models.GalleryPicture, error) {
	return collect.Many[models.GalleryPicture](ctx, q, `
		select i.id, i.name, i.alt, r.variant, r.mime_type, r.sha256, r.width, r.height
		from gallery_items i join gallery_renditions r on r.file_id = i.file_id
		where i.kind = 'image' and i.public_at is not null and i.trashed_at is null
			and exists (select from gallery_uses u join items t on t.live_revision_id = u.revision_id and t.practice_of is null where u.media_id = i.id)
		order by i.id, array_position(array['full', 'large', 'medium', 'small'], r.variant)`)
}
