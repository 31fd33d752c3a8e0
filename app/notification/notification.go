// Package notification queues messages to people: one-time passwords by SMS and
// letters by email.
//
// A message is stored, sealed, in the transaction of what it is about, together
// with the job that sends it; the job carries its id alone. It is sent at least
// once and never after it has expired; its id goes to the provider, so that a
// repeated send can be recognised. What it says is forgotten as soon as a
// provider has it. In the virtual mode it stays readable in the inbox of the
// administration for a day.
//
// Letters are plain text: everything can read it, and nothing in it reports
// back who did.
package notification

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/setting"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// Options are what a Service works with.
type Options struct {
	DB       db.Beginner
	Keyring  *keyring.Keyring
	Settings *setting.Settings
	Jobs     args.Inserter
	Courier  Courier // sends tests of the settings; nil where nobody tests
}

// Courier hands a message to its provider and returns what came of it. What
// the provider answers is for administrators to read.
type Courier interface {
	Deliver(ctx context.Context, d models.Dispatch) models.NotificationAttempt
}

// Service queues messages and sees them to their end.
type Service struct{ Options }

// New makes a service.
func New(o Options) *Service { return &Service{o} }

// SMS is a one-time password to send.
type SMS struct {
	To   string // a mobile number in E.164
	Code string
	// Purpose says what the code is for, in one word such as "registration".
	Purpose string
	// Topic names what the code is about, such as "otp:" and the id of whom it
	// identifies: a newer message of a topic cancels those that still wait.
	Topic     string
	ExpiresAt time.Time
}

// Email is a letter to send, in plain text.
type Email struct {
	To      string // a bare address
	Subject string // one line of at most 200 characters
	Text    string
	// Purpose and Topic are as in SMS.
	Purpose   string
	Topic     string
	ExpiresAt time.Time
}

// SendSMS stores an SMS and the job that sends it within tx, and cancels what
// waits of its topic. A number that the settings do not allow is an Invalid
// fault, a budget that is used up an Unavailable one.
func (s *Service) SendSMS(ctx context.Context, tx pgx.Tx, m SMS) error {
	within := New(s.Options)
	within.Settings = s.Settings.Within(tx)
	if err := within.Settings.PhoneAllowed(ctx, m.To); err != nil {
		return err
	}
	budget, err := within.Budget(ctx, tx)
	if err != nil {
		return err
	}
	if budget.Used+budget.Waiting >= budget.Limit {
		return budgetSpent(time.Now())
	}
	n := models.Notification{Kind: models.KindSMS, Purpose: m.Purpose, Recipient: m.To, Topic: m.Topic, ExpiresAt: m.ExpiresAt}
	return s.queue(ctx, tx, n, smsText(m.Code, time.Until(m.ExpiresAt)))
}

// SendEmail stores an email and the job that sends it within tx, and cancels
// what waits of its topic.
func (s *Service) SendEmail(ctx context.Context, tx pgx.Tx, m Email) error {
	if strings.ContainsFunc(m.Subject, func(r rune) bool { return r < ' ' }) {
		return fmt.Errorf("the subject of an email for %s is more than one line", m.Purpose)
	}
	n := models.Notification{Kind: models.KindEmail, Purpose: m.Purpose, Recipient: m.To, Subject: m.Subject, Topic: m.Topic, ExpiresAt: m.ExpiresAt}
	return s.queue(ctx, tx, n, m.Text)
}

// Cancel keeps messages of a topic that still wait from being sent, because
// they were answered or have no more use.
func (s *Service) Cancel(ctx context.Context, tx pgx.Tx, topic string) error {
	if err := queries.NotificationUpdateCancelled(ctx, tx, topic); err != nil {
		return fmt.Errorf("cancelling messages: %w", err)
	}
	return nil
}

// queue stores a message and its job.
func (s *Service) queue(ctx context.Context, tx pgx.Tx, n models.Notification, text string) error {
	if !n.ExpiresAt.After(time.Now()) {
		return fmt.Errorf("a message for %s has expired already", n.Purpose)
	}
	if err := s.Cancel(ctx, tx, n.Topic); err != nil {
		return err
	}
	s.seal(&n, text)
	if err := queries.NotificationInsert(ctx, tx, n); err != nil {
		return fmt.Errorf("storing a message: %w", err)
	}
	var job river.JobArgs = args.SendSMS{NotificationID: n.ID}
	if n.Kind == models.KindEmail {
		job = args.SendEmail{NotificationID: n.ID}
	}
	if _, err := s.Jobs.InsertTx(ctx, tx, job, nil); err != nil {
		return fmt.Errorf("queueing a message: %w", err)
	}
	return nil
}

// seal gives a message its id and its sealed text.
func (s *Service) seal(n *models.Notification, text string) {
	n.ID = uuid.Must(uuid.NewV7())
	n.Body = s.Keyring.Seal([]byte(text), bodyPlace(n.ID))
}

// bodyPlace is what the text of a message is sealed for.
func bodyPlace(id uuid.UUID) string { return keyring.Place("notifications", "body", id) }

// SMSTemplate is what an SMS says, with %s for the code and for the minutes
// that it is valid. Operators register the same words with {#var#} for both.
const SMSTemplate = "%s is your Heliograph code, valid for %s minutes. Do not share it with anyone."

func smsText(code string, life time.Duration) string {
	return fmt.Sprintf(SMSTemplate, code, strconv.Itoa(int(max(1, math.Ceil(life.Minutes())))))
}

func budgetSpent(now time.Time) error {
	midnight := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return &fault.Error{
		Kind: fault.Unavailable, Code: "sms_budget", RetryAfter: midnight.Sub(now),
		Message: "No more codes can be sent today. Try again after midnight UTC.",
	}
}
