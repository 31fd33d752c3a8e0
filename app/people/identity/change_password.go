package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// PasswordTries limits how often a signed-in user may enter the current password,
// by User.Actor, so that it cannot be guessed in an open browser.
var PasswordTries = limit.Limit{Name: "present_password", Burst: 10, Period: 15 * time.Minute}

// PasswordChange is the input of ChangePassword.
type PasswordChange struct {
	Current, New, Confirmation string
	UserAgent                  string
}

// ChangePassword sets a new password for a user of either surface. It requires
// the current one, which cannot be reused. It ends every session of the user and
// starts a new one for this browser.
func (d *Directory) ChangePassword(ctx context.Context, u *User, c PasswordChange) (*Session, error) {
	if err := newPasswordFaults(c.New, c.Confirmation, u.Email, u.Name, u.Organisation).Err(); err != nil {
		return nil, err
	}
	row, match, err := comparePassword(ctx, d.db, u.Surface, u.ID, c.Current)
	if err == nil && !match {
		err = wrongPassword("current")
	}
	if err != nil {
		return nil, err
	}
	if c.New == c.Current {
		return nil, errSamePassword
	}
	hash, err := hashPassword(ctx, c.New)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if row, err = d.notifier.setPassword(ctx, tx, u.Surface, row, hash); err != nil {
			return err
		}
		if s, err = startSession(ctx, tx, u.Surface, row, c.UserAgent); err != nil {
			return err
		}
		return recordSelf(ctx, tx, u.Surface, u.ID, "change_password")
	})
	return s, err
}

// ConfirmPassword checks the current password of a user. field is the form field
// for errors. The caller limits attempts by PasswordTries.
func (d *Directory) ConfirmPassword(ctx context.Context, u *User, field, password string) error {
	_, match, err := comparePassword(ctx, d.db, u.Surface, u.ID, password)
	if err == nil && !match {
		err = wrongPassword(field)
	}
	return err
}

func wrongPassword(field string) error {
	return fault.InvalidFields(fault.Field{Name: field, Message: "This is not your current password."})
}

var errSamePassword = fault.InvalidFields(fault.Field{Name: "password", Message: "This is your current password. Choose a different one."})

// hashNewPassword hashes a new password and refuses the current one.
func hashNewPassword(ctx context.Context, q db.Querier, surface Surface, id int64, password string) (row models.User, hash string, err error) {
	row, same, err := comparePassword(ctx, q, surface, id, password)
	if err == nil && same {
		err = errSamePassword
	}
	if err != nil {
		return row, "", err
	}
	hash, err = hashPassword(ctx, password)
	return row, hash, err
}

func comparePassword(ctx context.Context, q db.Querier, surface Surface, id int64, password string) (row models.User, match bool, err error) {
	if row, err = queries.UserGet(ctx, q, string(surface), id); err != nil {
		return row, false, fmt.Errorf("reading %s: %w", surface.Actor(id), err)
	}
	match, err = passwordMatches(ctx, password, row.PasswordHash)
	return row, match, err
}

// setPassword stores a new password for row, which must not have changed since
// it was read. It ends the sessions, the lock and the links of the user and
// notifies them by email. It returns the user with the session version of new
// sessions.
func (l Notifier) setPassword(ctx context.Context, tx pgx.Tx, surface Surface, row models.User, hash string) (models.User, error) {
	var err error
	row.SessionVersion, err = writes.UserUpdatePassword(ctx, tx, string(surface), row, hash)
	if err != nil {
		absent := fault.New(fault.Conflict, "The password was changed elsewhere at the same time. Sign in with that password.")
		return row, db.Absent(err, absent, "changing the password of %s", surface.Actor(row.ID))
	}
	if surface == Administration {
		if err := writes.AdminLinkUpdateConsumed(ctx, tx, row.ID); err != nil {
			return row, fmt.Errorf("invalidating links: %w", err)
		}
	} else if err := writes.UserLinkUpdateConsumed(ctx, tx, row.ID); err != nil {
		return row, fmt.Errorf("invalidating links: %w", err)
	}
	return row, l.notifyPasswordChanged(ctx, tx, surface, row)
}
