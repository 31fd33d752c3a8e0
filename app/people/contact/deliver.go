package contact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/lists"
	"heliograph/app/operation/metric"
	"heliograph/app/people/notification"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/jobs/args"
	"heliograph/views/email"
)

// deliverFor is how long a delivery is tried after it was queued.
const deliverFor = 14 * 24 * time.Hour

// pauses are the waits after the first, second and further failed attempts at the
// webhook. The last one repeats.
var pauses = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour,
}

// release queues the deliveries of an enquiry: the email to the contact recipient
// and the webhook, if it is set.
func (s *Service) release(ctx context.Context, tx pgx.Tx, e models.Enquiry) error {
	if err := s.queueEmail(ctx, tx, e); err != nil {
		return err
	}
	v, err := s.Settings.Within(tx).Contact(ctx)
	if err != nil || v.URL == "" {
		return err
	}
	return s.queueWebhook(ctx, tx, e.ID)
}

// queueEmail queues the email about an enquiry. Without a contact recipient it
// waits until there is one.
func (s *Service) queueEmail(ctx context.Context, tx pgx.Tx, e models.Enquiry) error {
	settings, err := s.Settings.Within(tx).Email(ctx)
	if err != nil {
		return err
	}
	d := models.ContactDelivery{EnquiryID: e.ID, Kind: models.ContactEmail, State: models.ContactWaiting}
	if settings.Contact != "" {
		m := s.emailAbout(e)
		m.To = settings.Contact
		if err := s.Mail.SendEmail(ctx, tx, m); err != nil {
			return fmt.Errorf("queueing the email about an enquiry: %w", err)
		}
		id, err := queries.NotificationGetQueued(ctx, tx, m.Topic)
		if err != nil {
			return fmt.Errorf("finding the email about an enquiry: %w", err)
		}
		d.State, d.NotificationID = models.ContactPending, &id
	}
	if err := writes.ContactDeliveryUpsert(ctx, tx, d); err != nil {
		return fmt.Errorf("storing a delivery: %w", err)
	}
	return nil
}

// queueWebhook queues the webhook of an enquiry.
func (s *Service) queueWebhook(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	d := models.ContactDelivery{EnquiryID: id, Kind: models.ContactWebhook, State: models.ContactPending}
	if err := writes.ContactDeliveryUpsert(ctx, tx, d); err != nil {
		return fmt.Errorf("storing a delivery: %w", err)
	}
	if _, err := s.Jobs.InsertTx(ctx, tx, args.DeliverContact{EnquiryID: id}, nil); err != nil {
		return fmt.Errorf("queueing a delivery: %w", err)
	}
	return nil
}

// emailAbout returns the email about an enquiry, without its recipient.
func (s *Service) emailAbout(e models.Enquiry) notification.Email {
	facts := email.EnquiryFacts{Reference: e.Reference, Organisation: e.Organisation, Message: e.Message, URL: s.PublicURL + "/admin/contacts/" + e.ID.String()}
	add := func(label, value string) {
		if value != "" {
			facts.Lines = append(facts.Lines, label+": "+value)
		}
	}
	add("Organisation", e.Organisation)
	add("Name", e.Name)
	add("Email", e.Email)
	add("Phone", strings.Join(formatPhones(e.Phones), ", "))
	add("Website", e.Website)
	add("GST number", e.GSTNumber)
	if e.Page != "" {
		add("From page", s.PublicURL+e.Page)
	}
	return notification.Email{Message: email.Enquiry(facts), Purpose: "contact", Topic: "contact:" + e.ID.String(), ExpiresAt: time.Now().Add(deliverFor)}
}

func formatPhones(numbers []string) []string {
	return lists.Map(numbers, phone.Format)
}

// Post is one attempt at the webhook, ready to be signed and sent.
type Post struct {
	// ID is the same on every attempt.
	ID     string
	URL    string
	Body   []byte
	Secret string
	// Previous also signs while a secret is replaced; otherwise empty.
	Previous string
	At       time.Time // of the attempt

	expires time.Time
	attempt int // attempts before this one
	enquiry uuid.UUID
}

// Posted is what came of a post.
type Posted struct {
	Status     int           // 0 without a response
	Latency    time.Duration // until the response was read or the attempt failed
	Response   string
	RetryAfter time.Duration // that the receiver asked for; 0 if it did not
	Err        error         // nil if it was taken; its message can be shown to administrators
}

// poster signs and posts enquiries. If the caller cancelled, errors.Is(Err,
// context.Canceled) is true and the result says nothing about the receiver.
type poster interface {
	Post(ctx context.Context, p Post) Posted
}

// Deliver makes an attempt at the webhook of an enquiry, if one is due. again is the
// pause before the next attempt. Without one it is zero, and complete is called in the
// transaction of the result.
func (s *Service) Deliver(ctx context.Context, id uuid.UUID, complete func(pgx.Tx) error) (again time.Duration, err error) {
	p, err := s.begin(ctx, id)
	if err != nil || p == nil {
		return 0, err
	}
	p.At = time.Now()
	result := s.Poster.Post(ctx, *p)
	if errors.Is(result.Err, context.Canceled) {
		return 0, result.Err // this process is being stopped; the receiver is not to blame
	}
	attempt := models.ContactAttempt{StartedAt: p.At, LatencyMS: int(result.Latency.Milliseconds()), Status: result.Status, Response: result.Response}
	if result.Err != nil {
		attempt.Problem = result.Err.Error()
	}
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		if again, err = s.end(ctx, tx, p, attempt, result.RetryAfter); err != nil || again > 0 {
			return err
		}
		return complete(tx)
	})
	if err != nil {
		return 0, err
	}
	metric.ContactDelivery(attempt.Problem == "", again > 0)
	s.Signals.Add("contacts", 0)
	return again, nil
}

// event is the body of the webhook, in the form that Standard Webhooks
// recommends.
type event struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      eventData `json:"data"`
}

type eventData struct {
	ID             string    `json:"id"`
	Reference      string    `json:"reference"`
	Organisation   string    `json:"organisation"`
	Website        string    `json:"website,omitempty"`
	Name           string    `json:"name"`
	Email          string    `json:"email"`
	PhoneNumbers   []string  `json:"phone_numbers"`
	GSTNumber      string    `json:"gst_number,omitempty"`
	Message        string    `json:"message"`
	Page           string    `json:"page,omitempty"`
	ConsentVersion string    `json:"consent_version"`
	ConsentedAt    time.Time `json:"consented_at"`
}

// eventCreated is the type of the event about a new enquiry.
const eventCreated = "contact.enquiry.created"

func body(e models.Enquiry) ([]byte, error) {
	return json.Marshal(event{Type: eventCreated, Timestamp: e.CreatedAt.UTC(), Data: eventData{
		ID: e.ID.String(), Reference: e.Reference, Organisation: e.Organisation, Website: e.Website, Name: e.Name, Email: e.Email, PhoneNumbers: e.Phones,
		GSTNumber: e.GSTNumber, Message: e.Message, Page: e.Page, ConsentVersion: e.ConsentVersion, ConsentedAt: e.ConsentedAt.UTC(),
	}})
}

// begin prepares an attempt at the webhook of an enquiry. It returns nil if there
// is nothing to do.
func (s *Service) begin(ctx context.Context, id uuid.UUID) (p *Post, err error) {
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		d, err := writes.ContactDeliveryLock(ctx, tx, id, models.ContactWebhook)
		if db.IsNoRows(err) || err == nil && d.State != models.ContactPending {
			return nil // erased, ended or spam
		}
		if err != nil {
			return fmt.Errorf("loading a delivery: %w", err)
		}
		v, err := s.Settings.Within(tx).Contact(ctx)
		if err != nil {
			return err
		}
		if v.URL == "" || v.Secret == "" {
			d.State, d.Problem = models.ContactFailed, "The webhook was removed from the settings."
			return finish(ctx, tx, d)
		}
		e, err := queries.EnquiryGet(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("loading an enquiry: %w", err)
		}
		p = &Post{ID: "enquiry_" + id.String(), URL: v.URL, Secret: string(v.Secret), Previous: string(v.Previous), expires: d.QueuedAt.Add(deliverFor), attempt: d.Attempts, enquiry: id}
		p.Body, err = body(e)
		return err
	})
	return p, err
}

// end stores the result of an attempt within tx. again is the pause before the
// next attempt; zero is none. retryAfter is what the receiver asked for.
func (s *Service) end(ctx context.Context, tx pgx.Tx, p *Post, a models.ContactAttempt, retryAfter time.Duration) (again time.Duration, err error) {
	d, err := writes.ContactDeliveryLock(ctx, tx, p.enquiry, models.ContactWebhook)
	if err != nil {
		return 0, db.Absent(err, nil, "loading a delivery") // erased meanwhile
	}
	if err := writes.ContactAttemptInsert(ctx, tx, p.enquiry, a); err != nil {
		return 0, fmt.Errorf("storing an attempt: %w", err)
	}
	d.State = models.ContactDelivered
	if a.Problem != "" {
		again = max(pauses[min(p.attempt, len(pauses)-1)], retryAfter)
		if a.Status != http.StatusGone && time.Now().Add(again).Before(p.expires) {
			return again, nil
		}
		d.State, d.Problem = models.ContactFailed, a.Problem
	}
	return 0, finish(ctx, tx, d)
}

func finish(ctx context.Context, tx pgx.Tx, d models.ContactDelivery) error {
	if err := writes.ContactDeliveryUpdateFinished(ctx, tx, d); err != nil {
		return fmt.Errorf("ending a delivery: %w", err)
	}
	return nil
}
