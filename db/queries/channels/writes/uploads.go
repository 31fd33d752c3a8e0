package writes

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// UploadInsert opens an upload.
func UploadInsert(ctx context.Context, q db.Querier, u models.Upload) error {
	return collect.Execute(ctx, q, `
		insert into uploads (id, organisation_id, mime_type, size, file_name, expires_at) values ($1, $2, $3, $4, $5, $6)`,
		u.ID, u.OrganisationID, u.MIMEType, u.Size, u.FileName, u.ExpiresAt)
}

// UploadAdvance adds a part of size bytes that begins where the upload u
// stands, and reports whether it still stood there.
func UploadAdvance(ctx context.Context, tx pgx.Tx, u models.Upload, object string, size int64) (bool, error) {
	tag, err := tx.Exec(ctx, `
		update uploads set received = received + $3 where id = $1 and received = $2 and object is null`, u.ID, u.Received, size)
	if err != nil || tag.RowsAffected() == 0 {
		return false, err
	}
	_, err = tx.Exec(ctx, `insert into upload_parts (upload_id, start, object) values ($1, $2, $3)`, u.ID, u.Received, object)
	return err == nil, err
}

// UploadComplete gives an upload its whole file, discards its parts and
// reports whether it had none before. The file may be one of the parts: it is
// discarded with them.
func UploadComplete(ctx context.Context, tx pgx.Tx, id uuid.UUID, object string, life time.Duration) (bool, error) {
	tag, err := tx.Exec(ctx, `
		update uploads set object = $2, expires_at = now() + $3::interval where id = $1 and object is null and received = size`, id, object, life)
	if err != nil || tag.RowsAffected() == 0 {
		return false, err
	}
	_, err = tx.Exec(ctx, `delete from upload_parts where upload_id = $1`, id)
	return err == nil, err
}

// UploadDeleteExpired deletes up to limit expired uploads, discards
// their objects and returns how many.
func UploadDeleteExpired(ctx context.Context, q db.Querier, limit int) (int64, error) {
	return collect.Count(ctx, q, `
		delete from uploads where id in (select id from uploads where expires_at <= now() order by expires_at limit $1)`, limit)
}
