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
	"heliograph/app/operation/limit"
	"heliograph/app/people/notification"
	"heliograph/db"
)

// Enrolment registers organisations, resets forgotten passwords and changes
// mobile numbers. Each is confirmed with a one-time password sent to the number.
//
// Neither responses nor their timing reveal whether an address has an account.
// If it has none on recovery, or already has one on registration, the challenge
// belongs to no user and cannot be passed, but it is stored, checked and replaced
// like any other. A worker generates and sends the codes, so that every request
// does the same work.
type Enrolment struct {
	DB            db.Beginner
	Keyring       *keyring.Keyring
	Limiter       *limit.Limiter
	Notifications *notification.Service
	// Provision creates the sandbox assets of an organisation once it is
	// verified.
	Provision func(ctx context.Context, tx pgx.Tx, organisationID int64, name string) error
	// PublicURL is the start of links in emails.
	PublicURL string

	compare func(stored, given []byte) bool // in tests, which count calls; nil is hmac.Equal
}

// equal compares a code with the stored one in constant time.
func (e *Enrolment) equal(stored, given []byte) bool {
	if e.compare != nil {
		return e.compare(stored, given)
	}
	return hmac.Equal(stored, given)
}

// Visitor identifies the client of a request.
type Visitor struct {
	Client    string // the network, as limit.Client gives it
	UserAgent string
}

// Challenge is a one-time password that a visitor has to enter. It contains what
// the visitor entered and no data of an account.
type Challenge struct {
	ID      uuid.UUID
	Purpose string
	AskedAt time.Time
	// Organisation is set in a registration. Phone (E.164) is empty in a recovery.
	Organisation, Phone string
	Email               string
	// Registered identifies the version of the registration that was entered.
	// A later registration of the address has a different one. It is empty in a
	// recovery.
	Registered []byte
}

// The purposes of a challenge.
const (
	ForRegistration = "registration"
	ForRecovery     = "recovery"
	ForMobile       = "mobile" // change of number by a signed-in user
)

// How long a code is valid, and how long a visitor must wait for the next one.
const (
	codeLife  = 10 * time.Minute
	codePause = 30 * time.Second
)

// NextAt returns the time from which another code can be sent.
func (c Challenge) NextAt() time.Time { return c.AskedAt.Add(codePause) }

// Resend replaces a challenge with one that has a new code.
func (e *Enrolment) Resend(ctx context.Context, c Challenge, v Visitor) (*Challenge, error) {
	if c.Purpose == ForRecovery {
		return e.requestRecovery(ctx, c.Email, c.ID, v)
	}
	return e.resendRegistration(ctx, c, v)
}

// checkBudget returns an Unavailable error if today's SMS budget is spent.
func (e *Enrolment) checkBudget(ctx context.Context) error {
	budget, err := e.Notifications.Budget(ctx, e.DB)
	if err != nil {
		return err
	}
	if budget.Used+budget.Waiting < budget.Limit {
		return nil
	}
	return notification.BudgetSpent(time.Now())
}

// logRefusal logs a refusal to send a code and returns nil, because the visitor
// must not learn from it whether an account exists. It returns other errors, so
// that the job is retried.
func logRefusal(ctx context.Context, id uuid.UUID, err error) error {
	f := fault.As(err)
	if err == nil || f == nil || f.Err != nil {
		return err
	}
	slog.InfoContext(ctx, "no code is sent", "challenge", id, "reason", f.Message)
	return nil
}

// codeTopic returns the topic of messages with a user's codes.
func codeTopic(userID int64) string { return fmt.Sprintf("otp:%d", userID) }
