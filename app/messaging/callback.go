package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// Callback is the body that is posted to partners' webhooks.
type Callback struct {
	Object string          `json:"object"`
	Entry  []callbackEntry `json:"entry"`
}

// callbackEntry holds the changes of one business account.
type callbackEntry struct {
	ID      string           `json:"id"`
	Time    int64            `json:"time,omitempty"` // Unix seconds
	Changes []callbackChange `json:"changes"`
}

// callbackChange is one change. Field is its kind, such as "messages".
type callbackChange struct {
	Field string `json:"field"`
	Value any    `json:"value"`
}

// MessagesChange is the value of a change whose field is "messages".
type MessagesChange struct {
	MessagingProduct string            `json:"messaging_product"`
	Metadata         callbackMetadata  `json:"metadata"`
	Contacts         []callbackContact `json:"contacts,omitempty"`
	Messages         []callbackMessage `json:"messages,omitempty"`
	Statuses         []CallbackStatus  `json:"statuses,omitempty"`
}

// callbackMetadata names the number that the change is about.
type callbackMetadata struct {
	DisplayPhoneNumber string `json:"display_phone_number"`
	PhoneNumberID      string `json:"phone_number_id"`
}

// CallbackStatus is a new state of a message.
type CallbackStatus struct {
	ID           string                `json:"id"`
	Type         string                `json:"type,omitempty"` // payment, or empty for the message itself
	Status       string                `json:"status"`
	Timestamp    string                `json:"timestamp"` // Unix seconds
	RecipientID  string                `json:"recipient_id"`
	Reference    string                `json:"biz_opaque_callback_data,omitempty"`
	Conversation *callbackConversation `json:"conversation,omitempty"`
	Pricing      *callbackPricing      `json:"pricing,omitempty"`
	Errors       []callbackError       `json:"errors,omitempty"`
	Payment      *callbackPayment      `json:"payment,omitempty"`
}

// callbackConversation is the conversation that a message belongs to: all
// messages of one category to one recipient on one day in UTC.
type callbackConversation struct {
	ID                  string         `json:"id"`
	ExpirationTimestamp string         `json:"expiration_timestamp"` // Unix seconds
	Origin              callbackOrigin `json:"origin"`
}

// callbackOrigin is the category that opened a conversation.
type callbackOrigin struct {
	Type string `json:"type"`
}

// callbackPricing tells how a message is charged.
type callbackPricing struct {
	Billable     bool   `json:"billable"`
	PricingModel string `json:"pricing_model"` // PMP: per message
	Category     string `json:"category"`
	Type         string `json:"type"` // regular, or free_customer_service within the window
}

// callbackError is the reason why a message failed.
type callbackError struct {
	Code      int               `json:"code"`
	Title     string            `json:"title"`
	Message   string            `json:"message"`
	ErrorData map[string]string `json:"error_data,omitempty"`
}

// newCallback returns a callback with one change of an account. product is the
// channel word that the partner uses.
func newCallback(product string, accountID int64, field string, value any) Callback {
	return Callback{
		Object: product + "_business_account",
		Entry:  []callbackEntry{{ID: strconv.FormatInt(accountID, 10), Changes: []callbackChange{{Field: field, Value: value}}}},
	}
}

// notice is a callback that is not stored yet.
type notice struct {
	to        models.Webhook
	event     string     // for the delivery log, for instance message.sent
	messageID *uuid.UUID // the message it is about, nil for none
	payload   any        // the body, encoded as JSON
}

// Job priorities. Callbacks to a failing endpoint wait behind the others.
const (
	priorityHealthy = 1
	priorityFailing = 3
)

// relayCallbacks stores callbacks and their jobs in the caller's transaction.
func relayCallbacks(ctx context.Context, tx pgx.Tx, jobs args.Inserter, notices ...notice) error {
	_, err := storeCallbacks(ctx, tx, jobs, notices...)
	return err
}

// storeCallbacks is like relayCallbacks and also returns the stored deliveries.
func storeCallbacks(ctx context.Context, tx pgx.Tx, jobs args.Inserter, notices ...notice) ([]queries.StoredDelivery, error) {
	deliveries := make([]queries.NewDelivery, len(notices))
	failing := map[int64]bool{}
	for i, n := range notices {
		body, err := json.Marshal(n.payload)
		if err != nil {
			return nil, fmt.Errorf("writing a callback: %w", err)
		}
		deliveries[i] = queries.NewDelivery{WebhookID: n.to.ID, MessageID: n.messageID, Event: n.event, Body: body}
		failing[n.to.ID] = n.to.Failures > 0
	}
	stored, err := queries.DeliveryInsertMany(ctx, tx, deliveries)
	if err != nil {
		return nil, fmt.Errorf("storing callbacks: %w", err)
	}
	priority := func(d queries.StoredDelivery) int {
		if failing[d.WebhookID] {
			return priorityFailing
		}
		return priorityHealthy
	}
	return stored, enqueue(ctx, tx, jobs, stored, priority)
}

// enqueue inserts the jobs that post stored callbacks.
func enqueue(ctx context.Context, tx pgx.Tx, jobs args.Inserter, stored []queries.StoredDelivery, priority func(queries.StoredDelivery) int) error {
	if len(stored) == 0 {
		return nil
	}
	work := make([]river.InsertManyParams, len(stored))
	for i, d := range stored {
		work[i] = river.InsertManyParams{Args: args.RelayCallback{DeliveryID: d.ID}, InsertOpts: &river.InsertOpts{Priority: priority(d)}}
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, work); err != nil {
		return fmt.Errorf("inserting the relay jobs: %w", err)
	}
	return nil
}

// relayToNumber relays a callback to the webhook of a number if it has an
// enabled one.
func relayToNumber(ctx context.Context, tx pgx.Tx, jobs args.Inserter, id int64, build func(models.PhoneNumber) notice) error {
	to, err := queries.WebhookGet(ctx, tx, Channel, strconv.FormatInt(id, 10))
	if db.IsNoRows(err) || err == nil && (to.URL == "" || to.DisabledAt != nil) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking a webhook up: %w", err)
	}
	number, err := queries.PhoneNumberGet(ctx, tx, id)
	if err != nil {
		return fmt.Errorf("looking number %d up: %w", id, err)
	}
	n := build(number)
	n.to = to
	return relayCallbacks(ctx, tx, jobs, n)
}

// relayToAccount relays a callback to the webhooks of all numbers of a business
// account.
func relayToAccount(ctx context.Context, tx pgx.Tx, jobs args.Inserter, accountID int64, n notice) error {
	webhooks, err := queries.WebhookListOfAccount(ctx, tx, accountID)
	if err != nil {
		return fmt.Errorf("listing the webhooks of account %d: %w", accountID, err)
	}
	notices := make([]notice, len(webhooks))
	for i, w := range webhooks {
		notices[i] = n
		notices[i].to = w
	}
	return relayCallbacks(ctx, tx, jobs, notices...)
}
