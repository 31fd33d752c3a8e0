package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// ColleagueList returns the users of an organisation, owners first, then by
// name.
func ColleagueList(ctx context.Context, q db.Querier, organisationID int64) ([]models.Colleague, error) {
	return many[models.Colleague](ctx, q, `
		select id, name, email, role, active, last_sign_in_at as signed_in_at from organisation_users
		where organisation_id = $1 order by role <> 'owner', lower(name), id`, organisationID)
}

// ColleagueGet returns a user of an organisation.
func ColleagueGet(ctx context.Context, q db.Querier, organisationID, id int64) (models.Colleague, error) {
	return one[models.Colleague](ctx, q, `
		select id, name, email, role, active, last_sign_in_at as signed_in_at from organisation_users where organisation_id = $1 and id = $2`, organisationID, id)
}

// ColleagueCountOwners counts the active owners of an organisation.
func ColleagueCountOwners(ctx context.Context, q db.Querier, organisationID int64) (n int, err error) {
	err = q.QueryRow(ctx, `select count(*) from organisation_users where organisation_id = $1 and role = 'owner' and active`, organisationID).Scan(&n)
	return n, err
}

// ColleagueUpdate gives a user another role or activity, and ends every session
// of the user.
func ColleagueUpdate(ctx context.Context, q db.Querier, c models.Colleague) error {
	_, err := q.Exec(ctx, `
		update organisation_users set role = $2, active = $3, session_version = session_version + 1, updated_at = now() where id = $1`,
		c.ID, c.Role, c.Active)
	return err
}

// ColleagueDelete removes a user with all sessions.
func ColleagueDelete(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `delete from organisation_users where id = $1`, id)
	return err
}

// ColleagueExists reports whether anybody, of any organisation, signs in with
// an address.
func ColleagueExists(ctx context.Context, q db.Querier, email string) (exists bool, err error) {
	err = q.QueryRow(ctx, `select exists (select from organisation_users where email = $1)`, email).Scan(&exists)
	return exists, err
}
