package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	queries "heliograph/db/queries/people"
)

// UserAttempt charges an attempt to sign in before the password is looked at,
// and returns the account. From the fifth failure in a row on the account
// is locked for 2^(n-5) seconds, at most 15 minutes. No row comes back while it
// is locked, except for attempts under the present version of its sessions, or
// when nobody has the address. Attempts of one account pass one after another,
// so guessing in parallel gains nothing.
func UserAttempt(ctx context.Context, q db.Querier, surface, email string, version int) (models.User, error) {
	active, pending, organisation := "active", "false", "''"
	if surface != "admin" {
		organisation = "(select o.name from organisations o where o.id = organisation_id)"
		active = "active and (select o.status from organisations o where o.id = organisation_id) = 'active'"
		pending = "not active and exists (select from organisations o where o.id = organisation_id and o.status = 'inactive' and o.verified_at is null)"
	}
	return collect.OneLax[models.User](ctx, q, `
		update `+queries.Users(surface)+` set
			failed_sign_ins = failed_sign_ins + 1,
			locked_until = case when failed_sign_ins >= 4
				then now() + least(power(2, least(failed_sign_ins - 4, 20)), 900) * interval '1 second' end
		where email = $1 and (locked_until is null or locked_until <= now() or session_version = $2)
		returning id, name, email, role, password_hash, session_version, `+active+` as active, not active as dismissed, `+pending+` as pending, failed_sign_ins,
			`+organisation+` as organisation`, email, version)
}

// UserUpdateSignedIn forgets the failures of a user who signed in.
func UserUpdateSignedIn(ctx context.Context, q db.Querier, surface string, id int64) error {
	return collect.Execute(ctx, q, `update `+queries.Users(surface)+` set failed_sign_ins = 0, locked_until = null, last_sign_in_at = now() where id = $1`, id)
}

// UserUpdateUnlocked forgets the failures of a user after a correct password.
func UserUpdateUnlocked(ctx context.Context, q db.Querier, surface string, id int64) error {
	return collect.Execute(ctx, q, `update `+queries.Users(surface)+` set failed_sign_ins = 0, locked_until = null where id = $1`, id)
}

// UserUpdatePassword sets the hash of a password that nobody changed meanwhile,
// ends every session and lock of the user and returns the version of the
// sessions to come. No row comes back when the hash is another already, or for
// a user who is not active.
func UserUpdatePassword(ctx context.Context, q db.Querier, surface string, u models.User, hash string) (version int, err error) {
	also := ""
	if surface == "admin" {
		also = ", password_set_at = now()"
	}
	return collect.Value[int](ctx, q, `
		update `+queries.Users(surface)+` set password_hash = $3, session_version = session_version + 1,
			failed_sign_ins = 0, locked_until = null, updated_at = now()`+also+`
		where id = $1 and password_hash = $2 and active returning session_version`, u.ID, u.PasswordHash, hash)
}
