package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// BusinessProfileUpsert replaces the profile of a number, except for its picture.
func BusinessProfileUpsert(ctx context.Context, q db.Querier, phoneNumberID int64, p models.BusinessProfile) error {
	if p.Websites == nil {
		p.Websites = []string{}
	}
	return collect.Execute(ctx, q, `
		insert into business_profiles (phone_number_id, about, address, description, email, vertical, websites)
		values ($1, $2, $3, $4, $5, $6, $7)
		on conflict (phone_number_id) do update
		set about = excluded.about, address = excluded.address, description = excluded.description, email = excluded.email,
		    vertical = excluded.vertical, websites = excluded.websites, updated_at = now()`,
		phoneNumberID, p.About, p.Address, p.Description, p.Email, p.Vertical, p.Websites)
}
