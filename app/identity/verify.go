package identity

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Verify activates the organisation and the owner whom the code of a
// registration was sent to, gives the organisation what it tries the channels
// with, and begins a session. A code that does not fit is an Invalid fault of
// the field code.
func (e *Enrolment) Verify(ctx context.Context, c Challenge, code string, v Visitor) (*Session, error) {
	met, err := e.guess(ctx, c, code, v)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		if err := meet(ctx, tx, met); err != nil {
			return err
		}
		user, err := e.activate(ctx, tx, met.UserID)
		if err != nil {
			return err
		}
		if s, err = e.enter(ctx, tx, user, v); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: UserActor(user.ID), Action: "organisation.verify", Target: OrganisationActor(user.OrganisationID)})
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (e *Enrolment) activate(ctx context.Context, tx pgx.Tx, userID int64) (models.User, error) {
	user, err := queries.ApplicantUpdateVerified(ctx, tx, userID)
	if db.IsNoRows(err) {
		return user, errCode
	}
	if err != nil {
		return user, fmt.Errorf("activating an organisation: %w", err)
	}
	return user, e.Provision(ctx, tx, user.OrganisationID, user.Organisation)
}

// enter begins a session for somebody who entered a code.
func (e *Enrolment) enter(ctx context.Context, tx pgx.Tx, user models.User, v Visitor) (*Session, error) {
	if err := e.Notifications.Cancel(ctx, tx, topic(user.ID)); err != nil {
		return nil, err
	}
	if err := queries.UserUpdateSignedIn(ctx, tx, string(Account), user.ID); err != nil {
		return nil, fmt.Errorf("noting a sign-in: %w", err)
	}
	return begin(ctx, tx, Account, user, v.UserAgent)
}

// NewPassword is what somebody enters who forgot the old one.
type NewPassword struct {
	Code         string
	Password     string
	Confirmation string // the password once more
}

// Reset gives the user whom a recovery's code was sent to another password,
// ends every other session and a lock, and begins a session: who holds the
// number and just chose the password need not type it again. The present
// password is refused.
func (e *Enrolment) Reset(ctx context.Context, c Challenge, n NewPassword, v Visitor) (*Session, error) {
	// Only what the visitor entered counts here: another rule would tell of
	// the account.
	faults := newPasswordFaults(n.Password, n.Confirmation, c.Email)
	if _, ok := ParseCode(n.Code); !ok {
		faults = check(faults, "code", "Enter the six digits of the code.")
	}
	if len(faults) > 0 {
		return nil, fault.InvalidFields(faults...)
	}
	met, err := e.guess(ctx, c, n.Code, v)
	if err != nil {
		return nil, err
	}
	row, hash, err := otherPassword(ctx, e.DB, Account, met.UserID, n.Password)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		if err := meet(ctx, tx, met); err != nil {
			return err
		}
		user, err := Letters{e.Notifications, e.PublicURL}.setPassword(ctx, tx, Account, row, hash)
		if fault.Is(err, fault.Conflict) {
			return errCode
		}
		if err != nil {
			return err
		}
		if s, err = e.enter(ctx, tx, user, v); err != nil {
			return err
		}
		return recordSelf(ctx, tx, Account, user.ID, "reset_password")
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}
