package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// GalleryFolderInsert adds a folder and returns its id. A taken name is a unique
// violation.
func GalleryFolderInsert(ctx context.Context, q db.Querier, f models.GalleryFolder) (id int64, err error) {
	return collect.Value[int64](ctx, q, `insert into gallery_folders (parent_id, name) values (nullif($1::bigint, 0), $2) returning id`, f.ParentID, f.Name)
}

// GalleryFolderUpdate renames and moves a folder.
func GalleryFolderUpdate(ctx context.Context, q db.Querier, f models.GalleryFolder) error {
	return collect.Execute(ctx, q, `update gallery_folders set parent_id = nullif($2::bigint, 0), name = $3 where id = $1`, f.ID, f.ParentID, f.Name)
}

// GalleryFolderDelete deletes folders that have no files.
func GalleryFolderDelete(ctx context.Context, q db.Querier, folderIDs []int64) error {
	return collect.Execute(ctx, q, `delete from gallery_folders where id = any($1)`, folderIDs)
}
