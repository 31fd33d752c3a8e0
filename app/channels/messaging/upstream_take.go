package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// TakerOptions holds the dependencies of a Taker.
type TakerOptions struct {
	Pool     *pgxpool.Pool
	Store    storage.Store
	Quotas   media.Quotas
	Jobs     args.Inserter
	Channels pipeline.Channels
	Signals  *db.Signals // may be nil
	Product  string      // name of the channel in callbacks
	// Fetch opens a file that a person sent, by the carrier's id. ErrNoFile says that
	// there is none.
	Fetch func(ctx context.Context, id string) (SentFile, error)
}

// Taker reads what a carrier posts: the states of messages, and what people send.
type Taker struct {
	TakerOptions
	files media.Files
}

// NewTaker returns a taker.
func NewTaker(o TakerOptions) *Taker {
	return &Taker{o, media.NewFiles(o.Pool, o.Store, o.Quotas)}
}

// postedBody is the body of a post. Whatever else it has is ignored.
type postedBody struct {
	Entry []struct {
		ID      input.Text `json:"id"` // of the account at the upstream
		Changes []struct {
			Field string          `json:"field"`
			Value json.RawMessage `json:"value"`
		} `json:"changes"`
	} `json:"entry"`
}

// postedChange is what happened to a number.
type postedChange struct {
	Metadata struct {
		DisplayPhoneNumber string     `json:"display_phone_number"`
		PhoneNumberID      input.Text `json:"phone_number_id"`
	} `json:"metadata"`
	Contacts []json.RawMessage `json:"contacts"`
	Messages []json.RawMessage `json:"messages"`
	Statuses []json.RawMessage `json:"statuses"`
}

// Take reads a post of a carrier. What it does not know is left out and stops nothing.
// What cannot be stored now is an error, and everything else is stored all the same.
// Reading a post again changes nothing.
func (t *Taker) Take(ctx context.Context, carrier models.Carrier, body []byte) error {
	var post postedBody
	if err := json.Unmarshal(body, &post); err != nil {
		slog.WarnContext(ctx, "a post of a carrier has another shape", "carrier", carrier.Name, "error", err)
		return nil
	}
	ids, err := models.GraphIDs(carrier.Settings, "numbers")
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", carrier.Name, err)
	}
	ours := map[string]string{}
	for id, theirs := range ids {
		ours[theirs] = id
	}
	observer := templates.Observer{DB: t.Pool, Jobs: t.Jobs, Product: t.Product}
	var failures []error
	for _, entry := range post.Entry {
		for _, change := range entry.Changes {
			if templates.Fields[change.Field] {
				failures = append(failures, observer.Take(ctx, carrier, string(entry.ID), change.Field, change.Value))
				continue
			}
			var value postedChange
			if change.Field != "messages" || json.Unmarshal(change.Value, &value) != nil {
				slog.InfoContext(ctx, "a carrier posted something else", "carrier", carrier.Name, "field", change.Field)
				continue
			}
			number, err := t.number(ctx, ours[string(value.Metadata.PhoneNumberID)])
			if err != nil {
				failures = append(failures, err)
				continue
			}
			if number.ID == 0 {
				slog.WarnContext(ctx, "a carrier posted about a number that its settings do not name", "carrier", carrier.Name, "number", string(value.Metadata.PhoneNumberID))
				continue
			}
			failures = append(failures, t.takeStatuses(ctx, carrier.Name, number, value))
			for _, raw := range value.Messages {
				failures = append(failures, t.takeMessage(ctx, carrier.Name, number, value, raw))
			}
		}
	}
	return errors.Join(failures...)
}

// number returns a number of a live organisation; its id is 0 if there is none.
func (t *Taker) number(ctx context.Context, id string) (models.PhoneNumber, error) {
	n, ok := registry.ParseID(id)
	if !ok {
		return models.PhoneNumber{}, nil
	}
	number, err := queries.PhoneNumberGet(ctx, t.Pool, n)
	if db.IsNoRows(err) || err == nil && number.Sandbox {
		return models.PhoneNumber{}, nil
	}
	if err != nil {
		return number, fmt.Errorf("looking number %s up: %w", id, err)
	}
	return number, nil
}

// postedStatus is a state of a message as the carrier posts it.
type postedStatus struct {
	ID                string     `json:"id"`
	Status            string     `json:"status"`
	Timestamp         input.Text `json:"timestamp"`
	Recipient         input.Text `json:"recipient_id"`
	RecipientUserID   input.Text `json:"recipient_user_id"`
	RecipientParentID input.Text `json:"recipient_parent_user_id"`
	Type              string     `json:"type"`
	Reference         string     `json:"biz_opaque_callback_data"`
	Errors            []struct {
		Code    int    `json:"code"`
		Title   string `json:"title"`
		Message string `json:"message"`
		Data    struct {
			Details string `json:"details"`
		} `json:"error_data"`
	} `json:"errors"`
}

// postedStates are the states of messages by what a carrier calls them. A voice message
// that was played was read.
var postedStates = map[string]string{"sent": "sent", "delivered": "delivered", "read": "read", "played": "read", "failed": pipeline.Failed}

// takeStatuses moves the messages that statuses are about.
func (t *Taker) takeStatuses(ctx context.Context, carrier string, number models.PhoneNumber, change postedChange) error {
	if len(change.Statuses) == 0 {
		return nil
	}
	moved := false
	err := db.InTxAgain(ctx, t.Pool, func(tx pgx.Tx) error {
		var steps []pipeline.Step
		for _, raw := range change.Statuses {
			var s postedStatus
			if err := json.Unmarshal(raw, &s); err != nil || postedStates[s.Status] == "" && s.Type != "payment" {
				slog.InfoContext(ctx, "a carrier posted a status of another kind", "carrier", carrier, "status", s.Status, "type", s.Type)
				continue
			}
			if s.Type == "payment" {
				paid, err := t.takePayment(ctx, tx, carrier, number, raw, s)
				if err != nil {
					return err
				}
				moved = moved || paid
				continue
			}
			m, step, ok, err := t.step(ctx, tx, carrier, number, s)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			steps = append(steps, step)
			if err := s.meet(ctx, tx, m, change.Contacts); err != nil {
				return err
			}
		}
		changed, err := t.Channels.Report(ctx, tx, t.Jobs, steps...)
		moved = moved || len(changed) > 0
		return err
	})
	if err != nil {
		return fmt.Errorf("moving messages of number %d: %w", number.ID, err)
	}
	if moved {
		t.Signals.Add("messages", number.OrganisationID)
		t.Signals.Add("callbacks", number.OrganisationID)
	}
	return nil
}

// step returns the step of the message that a status is about: the one that its
// reference names, or its id. ok is false if it is none of the number's.
func (t *Taker) step(ctx context.Context, tx pgx.Tx, carrier string, number models.PhoneNumber, s postedStatus) (m models.Message, step pipeline.Step, ok bool, err error) {
	id, named := ParseMessageID(s.Reference)
	if !named {
		if s.ID = registry.ClipID(s.ID); s.ID == "" {
			return m, step, false, nil
		}
		id, err = queries.UpstreamMessageFind(ctx, tx, carrier, s.ID)
		if err != nil {
			return m, step, false, db.Absent(err, nil, "looking id %q of carrier %s up", s.ID, carrier)
		}
	}
	m, err = queries.MessageGet(ctx, tx, id)
	if err != nil {
		return m, step, false, db.Absent(err, nil, "reading message %s", id)
	}
	leg := m.LegOf(Channel)
	if leg == 0 || m.OnLeg(leg).Sender != strconv.FormatInt(number.ID, 10) {
		return m, step, false, nil
	}
	carriages, err := queries.CarriageListOf(ctx, tx, id, leg)
	if err != nil {
		return m, step, false, fmt.Errorf("reading the parts of message %s: %w", id, err)
	}
	if len(carriages) == 0 || carriages[0].Carrier != carrier {
		return m, step, false, nil
	}
	step = pipeline.Step{
		MessageID:  id,
		Leg:        leg,
		Part:       1,
		Alone:      true,
		State:      postedStates[s.Status],
		At:         timeOf(s.Timestamp, m.CreatedAt),
		ProviderID: registry.ClipID(s.ID),
		Carrier:    carrier,
	}
	if step.State == pipeline.Failed {
		step.Failure = s.failure()
	}
	return m, step, true, nil
}

func (s *postedStatus) failure() *pipeline.Failure {
	if len(s.Errors) == 0 {
		return &pipeline.Failure{Code: unknownReason, Title: unknownTitle}
	}
	e := s.Errors[0]
	f := &pipeline.Failure{Code: e.Code, Title: media.Printable(e.Title, 200), Detail: media.Printable(e.Data.Details, 1000)}
	if f.Title == "" {
		f.Title = media.Printable(e.Message, 200)
	}
	return f
}

// timeOf returns the time of a timestamp in seconds, or now for one that cannot be.
func timeOf(stamp input.Text, earliest time.Time) time.Time {
	now := time.Now()
	seconds, err := strconv.ParseInt(string(stamp), 10, 64)
	if at := time.Unix(seconds, 0); err == nil && !at.Before(earliest.Truncate(time.Second)) && at.Before(now) {
		return at
	}
	return now
}
