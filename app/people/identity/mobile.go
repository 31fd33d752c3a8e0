package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// mobileNumber parses a number to which codes may be sent and returns it in
// E.164. problem says what to enter instead.
func (e *Enrolment) mobileNumber(ctx context.Context, text string) (e164, problem string, err error) {
	if e164, problem = phone.Parse(text, ""); problem != "" {
		return e164, problem, nil
	}
	err = e.Notifications.Settings.PhoneAllowed(ctx, e164)
	if fault.Is(err, fault.Invalid) {
		return e164, fault.As(err).Message, nil
	}
	return e164, "", err
}

// RequestMobileCode sends a code to the new number of a signed-in user. It
// replaces the challenge previous. SetMobile changes the number once the code is
// entered.
func (e *Enrolment) RequestMobileCode(ctx context.Context, userID int64, mobile string, previous uuid.UUID, v Visitor) (*Challenge, error) {
	mobile, problem, err := e.mobileNumber(ctx, mobile)
	if err != nil {
		return nil, err
	}
	if problem != "" {
		return nil, fault.InvalidFields(fault.Field{Name: "mobile", Message: problem})
	}
	if err := e.takeLimits(ctx, userActor(userID), numbersByUser); err != nil {
		return nil, err
	}
	if err := e.takeLimits(ctx, v.Client, codesByClient); err != nil {
		return nil, err
	}
	if err := e.takeNumberLimits(ctx, mobile); err != nil {
		return nil, err
	}
	if err := e.checkBudget(ctx); err != nil {
		return nil, err
	}
	c := models.OTPChallenge{ID: uuid.New(), Purpose: ForMobile, UserID: userID, Phone: mobile}
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		// Lock the user before the challenges, as everywhere.
		if _, err := writes.ApplicantGetByID(ctx, tx, userID); err != nil {
			return fmt.Errorf("locking user %d: %w", userID, err)
		}
		return e.issueChallenge(ctx, tx, c, previous)
	})
	if err != nil {
		return nil, err
	}
	return &Challenge{ID: c.ID, Purpose: c.Purpose, AskedAt: time.Now(), Phone: mobile}, nil
}

// MobileProof is the code for a new number that a signed-in user entered.
type MobileProof struct {
	User      *User
	Session   Session // in which it was entered
	Challenge Challenge
	Code      string
}

// SetMobile stores the number that the code was sent to, ends the user's other
// sessions and notifies the user by email. A wrong code is Invalid at the field
// code.
func (e *Enrolment) SetMobile(ctx context.Context, p MobileProof, v Visitor) error {
	passed, err := e.checkCode(ctx, p.Challenge, p.Code, v)
	if err != nil {
		return err
	}
	u := p.User
	if passed.UserID != u.ID {
		return errCode // a different user has signed in to this browser in the meantime
	}
	return db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		if err := consumeChallenge(ctx, tx, passed); err != nil {
			return err
		}
		if err := e.Notifications.Cancel(ctx, tx, codeTopic(u.ID)); err != nil {
			return err
		}
		if err := writes.ProfileUpdateMobile(ctx, tx, u.ID, passed.Phone); err != nil {
			return fmt.Errorf("changing the number of user %d: %w", u.ID, err)
		}
		_, err := writes.SessionUpdateRevokedOthers(ctx, tx, models.Session{IDHash: hashID(p.Session.ID), Surface: string(Account), UserID: u.ID})
		if err != nil {
			return fmt.Errorf("ending the sessions of user %d: %w", u.ID, err)
		}
		if err := (Notifier{e.Notifications, e.PublicURL}).notifyMobileChanged(ctx, tx, u, passed.Phone); err != nil {
			return err
		}
		return recordSelf(ctx, tx, Account, u.ID, "change_mobile")
	})
}
