package identity

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/people/otp"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// Verify activates the organisation and the owner of a registration, creates the
// sandbox assets of the organisation, and starts a session. A wrong code is
// Invalid at the field code.
func (e *Enrolment) Verify(ctx context.Context, c Challenge, code string, v Visitor) (*Session, error) {
	met, err := e.checkCode(ctx, c, code, v)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		if err := consumeChallenge(ctx, tx, met); err != nil {
			return err
		}
		user, err := e.activate(ctx, tx, met.UserID)
		if err != nil {
			return err
		}
		if s, err = e.signIn(ctx, tx, user, v); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: userActor(user.ID), Action: "organisation.verify", Target: OrganisationActor(user.OrganisationID)})
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (e *Enrolment) activate(ctx context.Context, tx pgx.Tx, userID int64) (models.User, error) {
	user, err := writes.ApplicantUpdateVerified(ctx, tx, userID)
	if err != nil {
		return user, db.Absent(err, errCode, "activating an organisation")
	}
	return user, e.Provision(ctx, tx, user.OrganisationID, user.Organisation)
}

// signIn starts a session for a user who entered a code.
func (e *Enrolment) signIn(ctx context.Context, tx pgx.Tx, user models.User, v Visitor) (*Session, error) {
	if err := e.Notifications.Cancel(ctx, tx, codeTopic(user.ID)); err != nil {
		return nil, err
	}
	if err := writes.UserUpdateSignedIn(ctx, tx, string(Account), user.ID); err != nil {
		return nil, fmt.Errorf("noting a sign-in: %w", err)
	}
	return startSession(ctx, tx, Account, user, v.UserAgent)
}

// NewPassword is the input of Reset.
type NewPassword struct {
	Code         string
	Password     string
	Confirmation string // the password again
}

// Reset sets a new password for the user of a recovery, ends every other session
// and a lock, and starts a session, so that the user need not enter the password
// again. The current password is refused.
func (e *Enrolment) Reset(ctx context.Context, c Challenge, n NewPassword, v Visitor) (*Session, error) {
	// Check only what the visitor entered. A rule that depends on the account
	// would reveal that it exists.
	faults := newPasswordFaults(n.Password, n.Confirmation, c.Email)
	if _, ok := otp.Parse(n.Code, codeDigits); !ok {
		faults.Add("code", "Enter the six digits of the code.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	met, err := e.checkCode(ctx, c, n.Code, v)
	if err != nil {
		return nil, err
	}
	row, hash, err := hashNewPassword(ctx, e.DB, Account, met.UserID, n.Password)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		if err := consumeChallenge(ctx, tx, met); err != nil {
			return err
		}
		user, err := Notifier{e.Notifications, e.PublicURL}.setPassword(ctx, tx, Account, row, hash)
		if fault.Is(err, fault.Conflict) {
			return errCode
		}
		if err != nil {
			return err
		}
		if s, err = e.signIn(ctx, tx, user, v); err != nil {
			return err
		}
		return recordSelf(ctx, tx, Account, user.ID, "reset_password")
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}
