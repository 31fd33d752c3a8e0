package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// Recover sends a code to the mobile number of the active user with an address,
// if there is one, locked or not. The result does not reveal whether there is.
func (e *Enrolment) Recover(ctx context.Context, email string, v Visitor) (*Challenge, error) {
	return e.requestRecovery(ctx, email, uuid.Nil, v)
}

// requestRecovery issues a challenge that replaces the previous one of this
// browser.
func (e *Enrolment) requestRecovery(ctx context.Context, email string, previous uuid.UUID, v Visitor) (*Challenge, error) {
	email, problem := normaliseEmail(email)
	if problem != "" {
		return nil, fault.InvalidFields(fault.Field{Name: "email", Message: problem})
	}
	if err := e.takeLimits(ctx, email, resetsByAccount...); err != nil {
		return nil, err
	}
	if err := e.takeLimits(ctx, v.Client, resetsByClient, codesByClient); err != nil {
		return nil, err
	}
	if err := e.checkBudget(ctx); err != nil {
		return nil, err
	}
	c := models.OTPChallenge{ID: uuid.New(), Purpose: ForRecovery}
	err := db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		a, err := writes.ApplicantGetActive(ctx, tx, email)
		if err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("looking a user up: %w", err)
		}
		c.UserID, c.Phone = a.UserID, a.Mobile
		return e.issueChallenge(ctx, tx, c, previous)
	})
	if err != nil {
		return nil, err
	}
	return &Challenge{ID: c.ID, Purpose: c.Purpose, AskedAt: time.Now(), Email: email}, nil
}
