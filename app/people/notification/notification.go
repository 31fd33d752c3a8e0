// Package notification queues SMS with one-time passwords and emails.
//
// A message is stored encrypted in the caller's transaction, with the job that
// sends it. The job contains only its id. A message is sent at least once and
// never after it has expired. Its id is sent to the provider, so that a duplicate
// can be recognised. Its text is deleted when a provider has accepted it. A rejected
// email can be sent again within a day, and messages in virtual mode can be read in
// the inbox of the administration as long.
//
// Emails have a text and an HTML part. Neither loads anything, so that they cannot
// track readers.
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
	"heliograph/app/operation/setting"
	"heliograph/app/operation/theme"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/jobs/args"
	"heliograph/views/email"
)

// Options holds the dependencies of a Service.
type Options struct {
	DB       db.Beginner
	Keyring  *keyring.Keyring
	Settings *setting.Settings
	Jobs     args.Inserter
	Courier  Courier // may be nil if Deliver and SendTest are not used
}

// Courier hands a message to its provider and returns the attempt. The provider's
// response in it is for administrators.
type Courier interface {
	Deliver(ctx context.Context, d models.Dispatch) models.NotificationAttempt
}

// Service queues messages and tracks them until they are sent or have failed.
type Service struct{ Options }

// New returns a new service.
func New(o Options) *Service { return &Service{o} }

// SMS is a one-time password to send.
type SMS struct {
	To   string // a mobile number in E.164
	Code string
	// Purpose says what the code is for, in one word such as "registration".
	Purpose string
	// Topic groups messages, such as "otp:" and a user id. A newer message of a
	// topic cancels queued ones.
	Topic     string
	ExpiresAt time.Time
}

// Email is an email to send.
type Email struct {
	To string // a bare address
	email.Message
	// Purpose and Topic are as in SMS.
	Purpose   string
	Topic     string
	ExpiresAt time.Time
}

// Mailer queues emails within the transaction of their cause.
type Mailer interface {
	SendEmail(ctx context.Context, tx pgx.Tx, m Email) error
}

// TellOwners queues an email for each active owner of an organisation within tx, and
// returns how many. Their ids end the topics.
func TellOwners(ctx context.Context, tx pgx.Tx, mail Mailer, organisationID int64, m Email) (queued int, err error) {
	people, err := queries.ColleagueList(ctx, tx, organisationID)
	if err != nil {
		return 0, fmt.Errorf("finding the owners of organisation %d: %w", organisationID, err)
	}
	topic := m.Topic
	for _, p := range people {
		if p.Role != "owner" || !p.Active {
			continue
		}
		m.To, m.Topic = p.Email, fmt.Sprintf("%s:%d", topic, p.ID)
		if err := mail.SendEmail(ctx, tx, m); err != nil {
			return queued, fmt.Errorf("queueing an email to user %d: %w", p.ID, err)
		}
		queued++
	}
	return queued, nil
}

// SendSMS stores an SMS and the job that sends it within tx, and cancels queued
// messages of its topic. A number that the settings do not allow is Invalid. A
// budget that is used up is Unavailable.
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
		return BudgetSpent(time.Now())
	}
	n := models.Notification{Kind: models.KindSMS, Purpose: m.Purpose, Recipient: m.To, Topic: m.Topic, ExpiresAt: m.ExpiresAt}
	_, err = s.queue(ctx, tx, n, content{text: smsText(m.Code, time.Until(m.ExpiresAt))})
	return err
}

// SendEmail stores an email and the job that sends it within tx, and cancels
// queued messages of its topic.
func (s *Service) SendEmail(ctx context.Context, tx pgx.Tx, m Email) error {
	name, err := theme.Name(ctx, tx)
	if err != nil {
		return err
	}
	m.Message = m.For(name)
	html, err := m.HTML(ctx)
	if err != nil {
		return fmt.Errorf("writing an email for %s: %w", m.Purpose, err)
	}
	if strings.ContainsFunc(m.Subject, func(r rune) bool { return r < ' ' }) {
		return fmt.Errorf("the subject of an email for %s is more than one line", m.Purpose)
	}
	n := models.Notification{Kind: models.KindEmail, Purpose: m.Purpose, Recipient: m.To, Subject: m.Subject, Topic: m.Topic, ExpiresAt: m.ExpiresAt}
	_, err = s.queue(ctx, tx, n, content{text: m.Text(), html: html})
	return err
}

// Cancel cancels the queued messages of a topic.
func (s *Service) Cancel(ctx context.Context, tx pgx.Tx, topic string) error {
	if err := writes.NotificationUpdateCancelled(ctx, tx, topic); err != nil {
		return fmt.Errorf("cancelling messages: %w", err)
	}
	return nil
}

// content is what a message says. SMS have no HTML.
type content struct{ text, html string }

// queue stores a message and its job, and returns the id of the message.
func (s *Service) queue(ctx context.Context, tx pgx.Tx, n models.Notification, c content) (uuid.UUID, error) {
	if !n.ExpiresAt.After(time.Now()) {
		return uuid.Nil, fmt.Errorf("a message for %s has expired already", n.Purpose)
	}
	if err := s.Cancel(ctx, tx, n.Topic); err != nil {
		return uuid.Nil, err
	}
	s.seal(&n, c)
	if err := writes.NotificationInsert(ctx, tx, n); err != nil {
		return uuid.Nil, fmt.Errorf("storing a message: %w", err)
	}
	var job river.JobArgs = args.SendSMS{NotificationID: n.ID}
	if n.Kind == models.KindEmail {
		job = args.SendEmail{NotificationID: n.ID}
	}
	if _, err := s.Jobs.InsertTx(ctx, tx, job, nil); err != nil {
		return uuid.Nil, fmt.Errorf("queueing a message: %w", err)
	}
	return n.ID, nil
}

// seal sets the id and the encrypted content of a message.
func (s *Service) seal(n *models.Notification, c content) {
	n.ID = uuid.Must(uuid.NewV7())
	n.Body = s.Keyring.Seal([]byte(c.text), bodyPlace(n.ID))
	if c.html != "" {
		n.HTML = s.Keyring.Seal([]byte(c.html), htmlPlace(n.ID))
	}
}

// open decrypts the content of a message.
func (s *Service) open(n models.Notification) (c content, err error) {
	text, err := s.Keyring.Open(n.Body, bodyPlace(n.ID))
	if err != nil {
		return c, fmt.Errorf("opening message %s: %w", n.ID, err)
	}
	c.text = string(text)
	if n.HTML == nil {
		return c, nil
	}
	html, err := s.Keyring.Open(n.HTML, htmlPlace(n.ID))
	if err != nil {
		return c, fmt.Errorf("opening the HTML of message %s: %w", n.ID, err)
	}
	c.html = string(html)
	return c, nil
}

// bodyPlace and htmlPlace return the keyring places of the parts of a message.
func bodyPlace(id uuid.UUID) string { return keyring.Place("notifications", "body", id) }

func htmlPlace(id uuid.UUID) string { return keyring.Place("notifications", "html", id) }

// SMSTemplate is the text of an SMS, with %s for the code and for its validity in
// minutes. Operators register the same text with {#var#} for both.
const SMSTemplate = "%s is your Heliograph code, valid for %s minutes. Do not share it with anyone."

func smsText(code string, life time.Duration) string {
	return fmt.Sprintf(SMSTemplate, code, strconv.Itoa(int(max(1, math.Ceil(life.Minutes())))))
}

// BudgetSpent returns the error of an SMS that is refused because the budget of the
// day is spent. It is Unavailable and names the time until midnight UTC.
func BudgetSpent(now time.Time) error {
	midnight := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return &fault.Error{
		Kind: fault.Unavailable, Code: "sms_budget", RetryAfter: midnight.Sub(now),
		Message: "No more codes can be sent today. Try again after midnight UTC.",
	}
}
