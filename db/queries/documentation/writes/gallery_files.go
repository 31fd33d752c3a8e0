package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// GalleryFileInsert adds a file to an item and returns its id.
func GalleryFileInsert(ctx context.Context, q db.Querier, f models.GalleryFile) (id int64, err error) {
	return collect.Value[int64](ctx, q, `
		insert into gallery_files (item_id, state, object, mime_type, source_sha256, created_by)
		values ($1, $2, nullif($3, ''), $4, $5, nullif($6::bigint, 0)) returning id`,
		f.ItemID, f.State, f.Object, f.MIMEType, f.SourceSHA256, f.CreatedBy)
}

// GalleryFileUpdateRefused refuses a waiting file and forgets its upload. The
// object is discarded.
func GalleryFileUpdateRefused(ctx context.Context, q db.Querier, id int64, problem string) (bool, error) {
	return collect.Changed(ctx, q, `
		with done as (
			update gallery_files f set state = 'refused', problem = $2, object = null
			from (select id, object from gallery_files where id = $1 and state = 'waiting' for update) old
			where f.id = old.id returning old.object
		) insert into discarded_objects (object, due_at) select object, now() from done where object is not null
		on conflict (object) do update set due_at = excluded.due_at`, id, problem)
}

// GalleryFileUpdateReady makes a waiting file ready and forgets its upload. The
// object is discarded. It reports whether the file was waiting.
func GalleryFileUpdateReady(ctx context.Context, q db.Querier, id int64) (bool, error) {
	return collect.Changed(ctx, q, `
		with done as (
			update gallery_files f set state = 'ready', object = null
			from (select id, object from gallery_files where id = $1 and state = 'waiting' for update) old
			where f.id = old.id returning old.object
		) insert into discarded_objects (object, due_at) select object, now() from done where object is not null
		on conflict (object) do update set due_at = excluded.due_at`, id)
}

// GalleryRenditionInsert adds what is served of a file in one size.
func GalleryRenditionInsert(ctx context.Context, q db.Querier, r models.GalleryRendition) error {
	return collect.Execute(ctx, q, `
		insert into gallery_renditions (file_id, variant, object, mime_type, size, sha256, width, height) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		r.FileID, r.Variant, r.Object, r.MIMEType, r.Size, r.SHA256, r.Width, r.Height)
}

// GalleryItemServe makes an item serve a file unless it serves a newer one, and
// gives it the name. Older files are deleted with their objects.
func GalleryItemServe(ctx context.Context, q db.Querier, itemID string, fileID int64, name string) error {
	if _, err := q.Exec(ctx, `
		update gallery_items set file_id = $2, name = $3, updated_at = now() where id = $1 and coalesce(file_id, 0) < $2`, itemID, fileID, name); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `
		delete from gallery_files f using gallery_items i
		where i.id = $1 and f.item_id = i.id and f.id < i.file_id and f.state <> 'waiting'`, itemID)
}
