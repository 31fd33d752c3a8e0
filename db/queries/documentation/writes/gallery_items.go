package writes

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// GalleryItemInsert adds an item without a file.
func GalleryItemInsert(ctx context.Context, q db.Querier, item models.GalleryItem, createdBy int64) error {
	return collect.Execute(ctx, q, `
		insert into gallery_items (id, folder_id, name, kind, alt, public_at, created_by)
		values ($1, nullif($2::bigint, 0), $3, $4, $5, case when $6 then now() end, nullif($7::bigint, 0))`,
		item.ID, item.FolderID, item.Name, item.Kind, item.Alt, item.IsPublic, createdBy)
}

// GalleryItemUpdate changes the name, the alternative text and the folder of an
// item that is not in the trash, and reports whether it exists.
func GalleryItemUpdate(ctx context.Context, q db.Querier, item models.GalleryItem) (bool, error) {
	return collect.Changed(ctx, q, `
		update gallery_items set name = $2, alt = $3, folder_id = nullif($4::bigint, 0), updated_at = now()
		where id = $1 and trashed_at is null`, item.ID, item.Name, item.Alt, item.FolderID)
}

// GalleryItemPublish makes an item public, and reports whether it was not.
func GalleryItemPublish(ctx context.Context, q db.Querier, id string) (bool, error) {
	return collect.Changed(ctx, q, `update gallery_items set public_at = now(), updated_at = now() where id = $1 and public_at is null and trashed_at is null`, id)
}

// GalleryItemPublishUsed makes the items public that revisions name.
func GalleryItemPublishUsed(ctx context.Context, q db.Querier, revisionIDs []int64) error {
	return collect.Execute(ctx, q, `
		update gallery_items i set public_at = now(), updated_at = now()
		from gallery_uses u where u.revision_id = any($1) and u.media_id = i.id and i.public_at is null`, revisionIDs)
}

// GalleryItemUpdateTrashed puts items into the trash or takes them out of it. An
// item leaves its folder. It returns the number of items that moved.
func GalleryItemUpdateTrashed(ctx context.Context, q db.Querier, ids []string, trashed bool) (int64, error) {
	return collect.Count(ctx, q, `
		update gallery_items set trashed_at = case when $2 then now() end, folder_id = null, updated_at = now()
		where id = any($1) and (trashed_at is not null) <> $2`, ids, trashed)
}

// GalleryItemDeleteTrashed deletes items that were put into the trash before a
// time, with their files.
func GalleryItemDeleteTrashed(ctx context.Context, q db.Querier, before time.Time) (int64, error) {
	return collect.Count(ctx, q, `delete from gallery_items where trashed_at < $1`, before)
}

// GalleryItemLock locks an item until the end of the transaction.
func GalleryItemLock(ctx context.Context, tx pgx.Tx, id string) error {
	var found string
	return tx.QueryRow(ctx, `select id from gallery_items where id = $1 for update`, id).Scan(&found)
}
