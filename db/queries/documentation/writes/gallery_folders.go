package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// GalleryFolderInsert adds a folder and returns its id. A taken name is a unique
// violation.
func GalleryFolderInsert(ctx context.Context, q db.Querier, f models.GalleryFolder) (id int64, err error) {
	err = q.QueryRow(ctx, `insert into gallery_folders (parent_id, name) values (nullif($1::bigint, 0), $2) returning id`, f.ParentID, f.Name).Scan(&id)
	return id, err
}

// GalleryFolderUpdate renames and moves a folder.
func GalleryFolderUpdate(ctx context.Context, q db.Querier, f models.GalleryFolder) error {
	_, err := q.Exec(ctx, `update gallery_folders set parent_id = nullif($2::bigint, 0), name = $3 where id = $1`, f.ID, f.ParentID, f.Name)
	return err
}

// GalleryFolderDelete deletes folders that have no files.
func GalleryFolderDelete(ctx context.Context, q db.Querier, folderIDs []int64) error {
	_, err := q.Exec(ctx, `delete from gallery_folders where id = any($1)`, folderIDs)
	return err
}
