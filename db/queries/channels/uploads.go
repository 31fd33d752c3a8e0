package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// UploadGet returns an upload of an organisation, unless it has expired.
func UploadGet(ctx context.Context, q db.Querier, organisationID int64, id uuid.UUID) (models.Upload, error) {
	return collect.One[models.Upload](ctx, q, `
		select id, organisation_id, mime_type, size, received, file_name, coalesce(object, '') as object, expires_at,
			array(select p.object from upload_parts p where p.upload_id = u.id order by p.start) as parts
		from uploads u where id = $1 and organisation_id = $2 and expires_at > now()`, id, organisationID)
}
