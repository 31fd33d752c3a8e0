package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// AdminUserInsert adds an administrator and returns the id. A taken address is
// a unique violation of admin_users_email_key.
func AdminUserInsert(ctx context.Context, q db.Querier, u models.AdminUser) (int64, error) {
	var id int64
	err := q.QueryRow(ctx, `
		insert into admin_users (name, email, password_hash, role) values ($1, $2, $3, $4) returning id`,
		u.Name, u.Email, u.PasswordHash, u.Role).Scan(&id)
	return id, err
}

// AdminUserAttempt charges an attempt to sign in before the password is looked
// at, and returns whom it may be. From the fifth failure in a row on the
// account is locked for 2^(n-5) seconds, at most 15 minutes. No row comes back
// while it is locked, or when nobody has the address. Attempts of one account
// pass one after another, so guessing in parallel gains nothing.
func AdminUserAttempt(ctx context.Context, q db.Querier, email string) (models.AdminUser, error) {
	var u models.AdminUser
	err := q.QueryRow(ctx, `
		update admin_users set
			failed_sign_ins = failed_sign_ins + 1,
			locked_until = case when failed_sign_ins >= 4
				then now() + least(power(2, least(failed_sign_ins - 4, 20)), 900) * interval '1 second' end
		where email = $1 and (locked_until is null or locked_until <= now())
		returning id, name, email, role, password_hash, session_version, active, failed_sign_ins`, email).
		Scan(&u.ID, &u.Name, &u.Email, &u.Role, &u.PasswordHash, &u.SessionVersion, &u.Active, &u.FailedSignIns)
	return u, err
}

// AdminUserUpdateSignedIn forgets the failures of an account that signed in.
func AdminUserUpdateSignedIn(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update admin_users set failed_sign_ins = 0, locked_until = null, last_sign_in_at = now() where id = $1`, id)
	return err
}
