package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// OrganisationIsSandbox reports whether an organisation is a sandbox.
func OrganisationIsSandbox(ctx context.Context, q db.Querier, id int64) (sandbox bool, err error) {
	return collect.Value[bool](ctx, q, `select sandbox from organisations where id = $1`, id)
}

// ProfileGet returns the profile of a user of an organisation.
func ProfileGet(ctx context.Context, q db.Querier, userID int64) (models.Profile, error) {
	return collect.One[models.Profile](ctx, q, `select name, email, coalesce(mobile, '') as mobile from organisation_users where id = $1`, userID)
}
