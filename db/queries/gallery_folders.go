package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// GalleryFolderList returns every folder of the gallery by name.
func GalleryFolderList(ctx context.Context, q db.Querier) ([]models.GalleryFolder, error) {
	return many[models.GalleryFolder](ctx, q, `
		select f.id, coalesce(f.parent_id, 0) as parent_id, f.name,
			(select count(*)::int from gallery_items i where i.folder_id = f.id and i.trashed_at is null) as files
		from gallery_folders f order by lower(f.name), f.id`)
}

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

// GalleryFolderLock locks the folders until the end of the transaction, so that
// moves cannot make a circle.
func GalleryFolderLock(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `lock table gallery_folders in share row exclusive mode`)
	return err
}

// GalleryFolderItems returns the ids of the files in folders.
func GalleryFolderItems(ctx context.Context, q db.Querier, folderIDs []int64) ([]string, error) {
	return values[string](ctx, q, `select id from gallery_items where folder_id = any($1) and trashed_at is null order by id`, folderIDs)
}

// GalleryFolderDelete deletes folders that have no files.
func GalleryFolderDelete(ctx context.Context, q db.Querier, folderIDs []int64) error {
	_, err := q.Exec(ctx, `delete from gallery_folders where id = any($1)`, folderIDs)
	return err
}
