package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ProfilePictureReplace stores the picture of a number and discards the one before.
func ProfilePictureReplace(ctx context.Context, q db.Querier, p models.ProfilePicture) error {
	if _, err := q.Exec(ctx, `delete from profile_pictures where phone_number_id = $1`, p.PhoneNumberID); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `
		insert into profile_pictures (phone_number_id, name, object, size) values ($1, $2, $3, $4)`, p.PhoneNumberID, p.Name, p.Object, p.Size)
}
