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
	"heliograph/db/queries"
)

// mobileNumber reads a number to which codes may go, in E.164. The problem says
// what to enter instead.
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

// AskMobile sends a code to the number that a user, who is signed in, wants to
// have, in place of the code of previous. The number becomes the user's when the
// code is entered.
func (e *Enrolment) AskMobile(ctx context.Context, userID int64, mobile string, previous uuid.UUID, v Visitor) (*Challenge, error) {
	mobile, problem, err := e.mobileNumber(ctx, mobile)
	if err != nil {
		return nil, err
	}
	if problem != "" {
		return nil, fault.InvalidFields(fault.Field{Name: "mobile", Message: problem})
	}
	if err := e.take(ctx, UserActor(userID), numbersByUser); err != nil {
		return nil, err
	}
	if err := e.take(ctx, v.Client, codesByClient); err != nil {
		return nil, err
	}
	if err := e.takeNumber(ctx, mobile); err != nil {
		return nil, err
	}
	if err := e.affordable(ctx); err != nil {
		return nil, err
	}
	c := models.OTPChallenge{ID: uuid.New(), Purpose: ForMobile, UserID: userID, Phone: mobile}
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		// As everywhere, the user is locked before the challenges.
		if _, err := queries.ApplicantGetByID(ctx, tx, userID); err != nil {
			return fmt.Errorf("locking user %d: %w", userID, err)
		}
		return e.ask(ctx, tx, c, previous)
	})
	if err != nil {
		return nil, err
	}
	return &Challenge{ID: c.ID, Purpose: c.Purpose, AskedAt: time.Now(), Phone: mobile}, nil
}

// MobileProof is a code that somebody who is signed in entered for a number.
type MobileProof struct {
	User      *User
	Session   Session // that it was entered in
	Challenge Challenge
	Code      string
}

// SetMobile gives a user the number to which a code went, ends the user's other
// sessions, and tells the user by email. A code that does not fit is an Invalid
// fault of the field code.
func (e *Enrolment) SetMobile(ctx context.Context, p MobileProof, v Visitor) error {
	met, err := e.guess(ctx, p.Challenge, p.Code, v)
	if err != nil {
		return err
	}
	u := p.User
	if met.UserID != u.ID {
		return errCode // somebody else signed in to this browser meanwhile
	}
	return db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		if err := meet(ctx, tx, met); err != nil {
			return err
		}
		if err := e.Notifications.Cancel(ctx, tx, topic(u.ID)); err != nil {
			return err
		}
		if err := queries.ProfileUpdateMobile(ctx, tx, u.ID, met.Phone); err != nil {
			return fmt.Errorf("changing the number of user %d: %w", u.ID, err)
		}
		_, err := queries.SessionUpdateRevokedOthers(ctx, tx, models.Session{IDHash: hashID(p.Session.ID), Surface: string(Account), UserID: u.ID})
		if err != nil {
			return fmt.Errorf("ending the sessions of user %d: %w", u.ID, err)
		}
		if err := (Letters{e.Notifications, e.PublicURL}).tellMobile(ctx, tx, u, met.Phone); err != nil {
			return err
		}
		return recordSelf(ctx, tx, Account, u.ID, "change_mobile")
	})
}
