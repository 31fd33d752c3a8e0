package identity

import (
	"context"
	"crypto/hmac"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/limit"
	"heliograph/app/notification"
	"heliograph/db"
)

// Enrolment registers organisations, lets people who forgot their password back
// in, and gives them another mobile number. All prove that they hold the number
// by a one-time password.
//
// Nothing that a visitor sees, nor how long it takes, depends on whether an
// address has an account: where it has none, or has one already, the challenge
// is for nobody and is never met, but is stored, guessed at and replaced as
// any other. Codes are made and sent by a worker, so that the request does the
// same for everybody.
type Enrolment struct {
	EnrolmentOptions
	equal func(stored, given []byte) bool // hmac.Equal; tests count
}

// EnrolmentOptions are what an Enrolment works with.
type EnrolmentOptions struct {
	DB            db.Beginner
	Keyring       *keyring.Keyring
	Limiter       *limit.Limiter
	Notifications *notification.Service
	// Provision gives an organisation what it tries the channels with, once
	// it is verified.
	Provision func(ctx context.Context, tx pgx.Tx, organisationID int64, name string) error
	// PublicURL is where letters lead to.
	PublicURL string
}

// NewEnrolment makes an enrolment.
func NewEnrolment(o EnrolmentOptions) *Enrolment { return &Enrolment{o, hmac.Equal} }

// Visitor is who asks, as far as the request tells.
type Visitor struct {
	Client    string // the network, as limit.Client gives it
	UserAgent string
}

// Challenge is a one-time password that a browser waits for. It says what the
// visitor entered, and nothing of any account.
type Challenge struct {
	ID      uuid.UUID
	Purpose string
	AskedAt time.Time
	// Organisation is of a registration. Phone (E.164) is empty in a recovery.
	Organisation, Phone string
	Email               string
	// Registered fits the registration that was entered, and none that took
	// its place since; empty in a recovery.
	Registered []byte
}

// The purposes of a challenge.
const (
	ForRegistration = "registration"
	ForRecovery     = "recovery"
	ForMobile       = "mobile" // of somebody who is signed in
)

// How long a code is valid, and how long a visitor waits before the next.
const (
	CodeLife  = 10 * time.Minute
	CodePause = 30 * time.Second
)

// Resend replaces a challenge by one with a new code.
func (e *Enrolment) Resend(ctx context.Context, c Challenge, v Visitor) (*Challenge, error) {
	if c.Purpose == ForRecovery {
		return e.recover(ctx, c.Email, c.ID, v)
	}
	return e.askAgain(ctx, c, v)
}

// affordable refuses while no code can be sent to anybody.
func (e *Enrolment) affordable(ctx context.Context) error {
	budget, err := e.Notifications.Budget(ctx, e.DB)
	if err != nil {
		return err
	}
	if budget.Used+budget.Waiting < budget.Limit {
		return nil
	}
	tomorrow := time.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return &fault.Error{
		Kind: fault.Unavailable, Code: "sms_budget", RetryAfter: time.Until(tomorrow),
		Message: "No more codes can be sent today. Try again after midnight UTC.",
	}
}

// quiet keeps from a visitor what would tell of an account: it logs that no
// code is sent, and passes on only what is worth trying again.
func quiet(ctx context.Context, id uuid.UUID, err error) error {
	f := fault.As(err)
	if err == nil || f == nil || f.Err != nil {
		return err
	}
	slog.InfoContext(ctx, "no code is sent", "challenge", id, "reason", f.Message)
	return nil
}

// topic is what messages about a user's codes share.
func topic(userID int64) string { return fmt.Sprintf("otp:%d", userID) }
