package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// Step is what a carrier reports of a message.
type Step struct {
	MessageID  uuid.UUID
	State      string // sent, delivered, read or failed
	At         time.Time
	ProviderID string   // the carrier's own id, when it gave one
	Failure    *Failure // for failed
}

// Failure is why a message failed, in the words of the channel.
type Failure struct {
	Code   int    `json:"code"`
	Title  string `json:"title"`
	Detail string `json:"detail,omitempty"`
}

// A message moves forward only: each state may follow these.
var before = map[string][]string{
	"sent":      {"accepted"},
	"delivered": {"accepted", "sent"},
	"read":      {"accepted", "sent", "delivered"},
	"failed":    {"accepted", "sent"},
}

// Report moves a message along its state machine inside the caller's
// transaction and, where the number has a webhook, stores the callback with
// its job. A repeated or late report changes nothing: moved is false.
func Report(ctx context.Context, tx pgx.Tx, jobs args.Inserter, step Step) (moved bool, err error) {
	from, ok := before[step.State]
	if !ok {
		return false, fmt.Errorf("a message cannot be reported as %q", step.State)
	}
	move := queries.MessageMove{ID: step.MessageID, To: step.State, From: from, At: step.At, ProviderID: step.ProviderID}
	if step.Failure != nil {
		if move.Failure, err = json.Marshal(step.Failure); err != nil {
			return false, fmt.Errorf("writing the failure: %w", err)
		}
	}
	m, err := queries.MessageUpdateState(ctx, tx, move)
	if db.IsNoRows(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("moving message %s to %s: %w", step.MessageID, step.State, err)
	}
	if m.WebhookID == 0 {
		return true, nil
	}
	return true, relay(ctx, tx, jobs, m, step)
}

// Callbacks of an endpoint that fails wait behind those of endpoints that work.
const (
	priorityHealthy = 1
	priorityFailing = 3
)

func relay(ctx context.Context, tx pgx.Tx, jobs args.Inserter, m models.Moved, step Step) error {
	body, err := json.Marshal(statusCallback(m, step))
	if err != nil {
		return fmt.Errorf("writing a callback: %w", err)
	}
	id, err := queries.DeliveryInsert(ctx, tx, m.WebhookID, m.ID, "message."+step.State, body)
	if err != nil {
		return fmt.Errorf("storing a callback: %w", err)
	}
	opts := &river.InsertOpts{Priority: priorityHealthy}
	if m.WebhookFailing {
		opts.Priority = priorityFailing
	}
	if _, err := jobs.InsertTx(ctx, tx, args.RelayCallback{DeliveryID: id}, opts); err != nil {
		return fmt.Errorf("inserting the relay job: %w", err)
	}
	return nil
}

// Callback is the payload that partners' receivers parse.
type Callback struct {
	Object string          `json:"object"`
	Entry  []CallbackEntry `json:"entry"`
}

// CallbackEntry is what happened in one business account.
type CallbackEntry struct {
	ID      string           `json:"id"`
	Changes []CallbackChange `json:"changes"`
}

// CallbackChange is one change; Field says of what.
type CallbackChange struct {
	Field string        `json:"field"`
	Value CallbackValue `json:"value"`
}

// CallbackValue is a change of messages.
type CallbackValue struct {
	MessagingProduct string           `json:"messaging_product"`
	Metadata         CallbackMetadata `json:"metadata"`
	Statuses         []CallbackStatus `json:"statuses"`
}

// CallbackMetadata names the number that the change is about.
type CallbackMetadata struct {
	DisplayPhoneNumber string `json:"display_phone_number"`
	PhoneNumberID      string `json:"phone_number_id"`
}

// CallbackStatus is one state that a message reached.
type CallbackStatus struct {
	ID          string          `json:"id"`
	Status      string          `json:"status"`
	Timestamp   string          `json:"timestamp"` // Unix seconds
	RecipientID string          `json:"recipient_id"`
	Reference   string          `json:"biz_opaque_callback_data,omitempty"`
	Errors      []CallbackError `json:"errors,omitempty"`
}

// CallbackError is why a message failed.
type CallbackError struct {
	Code      int               `json:"code"`
	Title     string            `json:"title"`
	Message   string            `json:"message"`
	ErrorData map[string]string `json:"error_data,omitempty"`
}

func statusCallback(m models.Moved, step Step) Callback {
	status := CallbackStatus{
		ID: MessageID(m.ID), Status: step.State, Timestamp: strconv.FormatInt(step.At.Unix(), 10),
		RecipientID: m.Recipient, Reference: m.Reference,
	}
	if f := step.Failure; f != nil {
		status.Errors = []CallbackError{{Code: f.Code, Title: f.Title, Message: f.Title}}
		if f.Detail != "" {
			status.Errors[0].ErrorData = map[string]string{"details": f.Detail}
		}
	}
	return Callback{
		Object: m.Product + "_business_account",
		Entry: []CallbackEntry{{
			ID: strconv.FormatInt(m.BusinessAccountID, 10),
			Changes: []CallbackChange{{Field: "messages", Value: CallbackValue{
				MessagingProduct: m.Product,
				Metadata: CallbackMetadata{
					DisplayPhoneNumber: m.Number[1:], PhoneNumberID: strconv.FormatInt(m.SenderID, 10),
				},
				Statuses: []CallbackStatus{status},
			}}},
		}},
	}
}
