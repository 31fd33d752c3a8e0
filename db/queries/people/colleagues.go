package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ColleagueList returns the users of an organisation, owners first, then by
// name.
func ColleagueList(ctx context.Context, q db.Querier, organisationID int64) ([]models.Colleague, error) {
	return collect.Many[models.Colleague](ctx, q, `
		select id, name, email, role, active, last_sign_in_at as signed_in_at from organisation_users
		where organisation_id = $1 order by role <> 'owner', lower(name), id`, organisationID)
}

// ColleagueGet returns a user of an organisation.
func ColleagueGet(ctx context.Context, q db.Querier, organisationID, id int64) (models.Colleague, error) {
	return collect.One[models.Colleague](ctx, q, `
		select id, name, email, role, active, last_sign_in_at as signed_in_at from organisation_users where organisation_id = $1 and id = $2`, organisationID, id)
}

// ColleagueCountOwners counts the active owners of an organisation.
func ColleagueCountOwners(ctx context.Context, q db.Querier, organisationID int64) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from organisation_users where organisation_id = $1 and role = 'owner' and active`, organisationID)
}

// ColleagueExists reports whether anybody, of any organisation, signs in with
// an address.
func ColleagueExists(ctx context.Context, q db.Querier, email string) (exists bool, err error) {
	return collect.Value[bool](ctx, q, `select exists (select from organisation_users where email = $1)`, email)
}
