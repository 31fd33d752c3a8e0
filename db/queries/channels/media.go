package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// MediaGet returns the media of an organisation with the id, unless it has
// expired.
func MediaGet(ctx context.Context, q db.Querier, organisationID, id int64) (models.Media, error) {
	return collect.One[models.Media](ctx, q, `
		select id, organisation_id, phone_number_id, object, mime_type, size, sha256, file_name, created_at, expires_at
		from media where id = $1 and organisation_id = $2 and expires_at > now()`, id, organisationID)
}
