package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// Users names the table of a surface's Users: account or admin.
func Users(surface string) string {
	if surface == "admin" {
		return "admin_users"
	}
	return "organisation_users"
}

// UserAttemptNobody takes what UserAttempt takes for an account: a commit that
// waits for the disk. It stores nothing.
func UserAttemptNobody(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `select pg_logical_emit_message(true, 'sign_in', '')`)
}

// UserGet returns a user with the hash of the password.
func UserGet(ctx context.Context, q db.Querier, surface string, id int64) (models.User, error) {
	return collect.OneLax[models.User](ctx, q, `select id, name, email, role, password_hash, session_version, active from `+Users(surface)+` where id = $1`, id)
}
