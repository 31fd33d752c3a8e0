// Package contact takes the enquiries of visitors, notifies people by email and
// programs by a signed webhook, and lets administrators work the enquiries.
//
// An enquiry is committed before anybody is notified. What nobody takes is tried
// for two weeks and can then be tried again. The address of a visitor is stored
// as an HMAC with a key of its day, which is not in the database.
package contact

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/jobs/args"
)

// Options holds the dependencies of a Service.
type Options struct {
	DB       db.Beginner
	Keyring  *keyring.Keyring
	Settings *setting.Settings
	Jobs     args.Inserter
	Mail     notification.Mailer
	Limiter  *limit.Limiter // of submissions; may be nil if Submit is not used
	Poster   poster         // posts to the webhook; may be nil if Deliver is not used
	Signals  *db.Signals    // tells open pages; may be nil
	// PublicURL is the start of links in emails.
	PublicURL string
}

// Service takes enquiries, has them confirmed and delivers them.
type Service struct {
	Options
	Stamps *Stamps
	Desk   *Desk
}

// New returns a new service.
func New(o Options) *Service {
	s := &Service{Options: o, Stamps: &Stamps{db: o.DB, keyring: o.Keyring, settings: o.Settings}}
	s.Desk = &Desk{service: s}
	return s
}

// ConsentText is what a visitor agrees to. Change consentVersion with it: it is
// stored with each enquiry.
const (
	ConsentText    = "I agree that my details are stored and used to answer this enquiry."
	consentVersion = "2026-11-22"
)

// The actors of entries that no administrator caused.
const (
	visitorActor = "visitor"
	systemActor  = "system"
)

func record(ctx context.Context, tx pgx.Tx, actor, action, reference string, details map[string]any) error {
	return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: action, Target: "enquiry:" + reference, Details: details})
}

// clientHash returns the HMAC of the address of a client with the key of a day.
// Without the keyring no address can be found from it.
func (s *Service) clientHash(client string, day time.Time) []byte {
	return keyring.MAC(s.Keyring.Subkey("contact/client/"+day.UTC().Format(time.DateOnly)), client)
}
