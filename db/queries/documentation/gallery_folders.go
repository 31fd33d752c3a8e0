package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// GalleryFolderList returns every folder of the gallery by name.
func GalleryFolderList(ctx context.Context, q db.Querier) ([]models.GalleryFolder, error) {
	return collect.Many[models.GalleryFolder](ctx, q, `
		select f.id, coalesce(f.parent_id, 0) as parent_id, f.name,
			(select count(*)::int from gallery_items i where i.folder_id = f.id and i.trashed_at is null) as files
		from gallery_folders f order by lower(f.name), f.id`)
}

// GalleryFolderLock locks the folders until the end of the transaction, so that
// moves cannot make a circle.
func GalleryFolderLock(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `lock table gallery_folders in share row exclusive mode`)
}

// GalleryFolderItems returns the ids of the files in folders.
func GalleryFolderItems(ctx context.Context, q db.Querier, folderIDs []int64) ([]string, error) {
	return collect.Values[string](ctx, q, `select id from gallery_items where folder_id = any($1) and trashed_at is null order by id`, folderIDs)
}
