package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ProfilePictureGet returns the picture with a name, unless its number was removed.
func ProfilePictureGet(ctx context.Context, q db.Querier, name string) (models.ProfilePicture, error) {
	return collect.One[models.ProfilePicture](ctx, q, `
		select p.phone_number_id, p.name, p.object, p.size
		from profile_pictures p join phone_numbers n on n.id = p.phone_number_id
		where p.name = $1 and n.removed_at is null`, name)
}
