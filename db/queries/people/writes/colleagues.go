package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ColleagueUpdate gives a user another role or activity, and ends every session
// of the user.
func ColleagueUpdate(ctx context.Context, q db.Querier, c models.Colleague) error {
	return collect.Execute(ctx, q, `
		update organisation_users set role = $2, active = $3, session_version = session_version + 1, updated_at = now() where id = $1`,
		c.ID, c.Role, c.Active)
}

// ColleagueDelete removes a user with all sessions.
func ColleagueDelete(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `delete from organisation_users where id = $1`, id)
}
