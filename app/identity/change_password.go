package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/limit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// PasswordTries is how often a user who is signed in may try the present
// password, by User.Actor: an open browser is no way to guess it.
var PasswordTries = limit.Limit{Name: "present_password", Burst: 10, Period: 15 * time.Minute}

// PasswordChange is what changes a password.
type PasswordChange struct {
	Current, New, Confirmation string
	UserAgent                  string
}

// ChangePassword sets another password for a user of either surface who knows
// the present one, ends every session of the user and begins a new one for
// this browser. The present password is refused as the new one.
func (d *Directory) ChangePassword(ctx context.Context, u *User, c PasswordChange) (*Session, error) {
	if faults := newPasswordFaults(c.New, c.Confirmation, u.Email, u.Name, u.Organisation); len(faults) > 0 {
		return nil, fault.InvalidFields(faults...)
	}
	row, match, err := comparePassword(ctx, d.db, u.Surface, u.ID, c.Current)
	if err == nil && !match {
		err = notPresent("current")
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
		if row, err = d.letters.setPassword(ctx, tx, u.Surface, row, hash); err != nil {
			return err
		}
		if s, err = begin(ctx, tx, u.Surface, row, c.UserAgent); err != nil {
			return err
		}
		return recordSelf(ctx, tx, u.Surface, u.ID, "change_password")
	})
	return s, err
}

// ConfirmPassword refuses a password that is not the present one of a user; field
// is where the form asks for it. The caller limits how often, by PasswordTries.
func (d *Directory) ConfirmPassword(ctx context.Context, u *User, field, password string) error {
	_, match, err := comparePassword(ctx, d.db, u.Surface, u.ID, password)
	if err == nil && !match {
		err = notPresent(field)
	}
	return err
}

func notPresent(field string) error {
	return fault.InvalidFields(fault.Field{Name: field, Message: "This is not your present password."})
}

var errSamePassword = fault.InvalidFields(fault.Field{Name: "password", Message: "This is the present password. Choose another."})

// otherPassword hashes a password that is not the present one of a user.
func otherPassword(ctx context.Context, q db.Querier, surface Surface, id int64, password string) (row models.User, hash string, err error) {
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
		return row, false, fmt.Errorf("reading %s: %w", actor(surface, id), err)
	}
	match, err = passwordMatches(ctx, password, row.PasswordHash)
	return row, match, err
}

// setPassword stores another password of a user as it was read, ends every
// session, lock and link that the old one left, and tells the user. It returns
// the user with the version of the sessions to come.
func (l Letters) setPassword(ctx context.Context, tx pgx.Tx, surface Surface, row models.User, hash string) (models.User, error) {
	var err error
	row.SessionVersion, err = queries.UserUpdatePassword(ctx, tx, string(surface), row, hash)
	if db.IsNoRows(err) {
		return row, fault.New(fault.Conflict, "The password was changed elsewhere at this moment. Sign in with that one.")
	}
	if err != nil {
		return row, fmt.Errorf("changing the password of %s: %w", actor(surface, row.ID), err)
	}
	if surface == Administration {
		if err := queries.AdminLinkUpdateConsumed(ctx, tx, row.ID); err != nil {
			return row, fmt.Errorf("using links up: %w", err)
		}
	}
	return row, l.tellPassword(ctx, tx, surface, row)
}
