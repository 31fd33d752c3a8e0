package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// MediaInsert adds media under an id taken from the registry.
func MediaInsert(ctx context.Context, q db.Querier, m models.Media) error {
	return collect.Execute(ctx, q, `
		insert into media (id, organisation_id, phone_number_id, object, mime_type, size, sha256, file_name, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		m.ID, m.OrganisationID, m.PhoneNumberID, m.Object, m.MIMEType, m.Size, m.SHA256, m.FileName, m.ExpiresAt)
}

// MediaDelete deletes the media of an organisation with its id, discards its
// object and reports whether it was there.
func MediaDelete(ctx context.Context, q db.Querier, organisationID, id int64) (bool, error) {
	return collect.Changed(ctx, q, `delete from registry where id = $1 and organisation_id = $2 and kind = 'media'`, id, organisationID)
}

// MediaDeleteExpired deletes up to limit expired media, as
// MediaDelete does, and returns how many.
func MediaDeleteExpired(ctx context.Context, q db.Querier, limit int) (int64, error) {
	return collect.Count(ctx, q, `
		delete from registry where id in (select id from media where expires_at <= now() order by expires_at limit $1)`, limit)
}
