package identity

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// PasswordChange is what changes a password.
type PasswordChange struct {
	Current, New, Confirmation string
	UserAgent                  string
}

// ChangePassword sets another password, ends every session of the user and
// begins a new one for this browser. The password in use is refused as the new
// one.
func (d *Directory) ChangePassword(ctx context.Context, u *User, c PasswordChange) (*Session, error) {
	if faults := newPasswordFaults(c.New, c.Confirmation, u.Email, u.Name, u.Organisation); len(faults) > 0 {
		return nil, fault.InvalidFields(faults...)
	}
	row, err := d.confirm(ctx, u, "current", c.Current)
	if err != nil {
		return nil, err
	}
	if c.New == c.Current {
		return nil, fault.InvalidFields(fault.Field{Name: "password", Message: "Choose a password other than the one in use."})
	}
	hash, err := hashPassword(ctx, c.New)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		row.SessionVersion, err = queries.UserUpdatePassword(ctx, tx, string(u.Surface), row, hash)
		if db.IsNoRows(err) {
			return fault.New(fault.Conflict, "The password was changed elsewhere at this moment. Sign in with that one.")
		}
		if err != nil {
			return fmt.Errorf("changing the password of user %d: %w", u.ID, err)
		}
		if s, err = begin(ctx, tx, u.Surface, row, c.UserAgent); err != nil {
			return err
		}
		return recordSelf(ctx, tx, u.Surface, u.ID, "change_password")
	})
	return s, err
}

// confirm compares a password with the one in use; field is where the form asks
// for it. The caller limits how often.
func (d *Directory) confirm(ctx context.Context, u *User, field, password string) (models.User, error) {
	row, err := queries.UserGet(ctx, d.db, string(u.Surface), u.ID)
	if err != nil {
		return row, fmt.Errorf("reading user %d: %w", u.ID, err)
	}
	match, err := passwordMatches(ctx, password, row.PasswordHash)
	if err != nil {
		return row, err
	}
	if !match {
		return row, fault.InvalidFields(fault.Field{Name: field, Message: "This is not the password in use."})
	}
	return row, nil
}
