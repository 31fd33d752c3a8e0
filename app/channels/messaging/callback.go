package messaging

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// MessagesChange is the value of a change of the field "messages".
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
	ID                    string                `json:"id"`
	Type                  string                `json:"type,omitempty"` // payment, or empty for the message itself
	Status                string                `json:"status"`
	Timestamp             string                `json:"timestamp"`              // Unix seconds
	RecipientID           string                `json:"recipient_id,omitempty"` // digits
	RecipientUserID       string                `json:"recipient_user_id,omitempty"`
	RecipientParentUserID string                `json:"recipient_parent_user_id,omitempty"`
	Reference             string                `json:"biz_opaque_callback_data,omitempty"`
	Conversation          *callbackConversation `json:"conversation,omitempty"`
	Pricing               *callbackPricing      `json:"pricing,omitempty"`
	Errors                []callbackError       `json:"errors,omitempty"`
	Payment               *callbackPayment      `json:"payment,omitempty"`
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

// relayToNumber relays a callback to the webhook of a number if one was ever set.
func relayToNumber(ctx context.Context, tx pgx.Tx, jobs args.Inserter, id int64, build func(models.PhoneNumber) relay.Event) error {
	to, err := queries.WebhookGet(ctx, tx, Channel, strconv.FormatInt(id, 10))
	if err != nil {
		return db.Absent(err, nil, "looking a webhook up")
	}
	number, err := numberOfCallback(ctx, tx, id)
	if err != nil {
		return err
	}
	e := build(number)
	e.WebhookID, e.Failing = to.ID, to.Failures > 0
	_, err = relay.Store(ctx, tx, jobs, e)
	return err
}

// numberOfCallback returns a number with what callbacks say of it, also after it was
// removed.
func numberOfCallback(ctx context.Context, tx pgx.Tx, id int64) (models.PhoneNumber, error) {
	found, err := queries.PhoneNumberListByID(ctx, tx, []int64{id})
	if err == nil && len(found) == 0 {
		err = pgx.ErrNoRows
	}
	if err != nil {
		return models.PhoneNumber{}, fmt.Errorf("looking number %d up: %w", id, err)
	}
	return found[0], nil
}

// callbackObject matches the beginning of a callback.
var callbackObject = regexp.MustCompile(`^\{"object":"[a-z0-9]+_business_account"`)

// renderCallback returns the request for a callback. Its object has the word for the
// channel that the webhook was set with, whatever caused it.
func renderCallback(d models.Delivery) (relay.Request, error) {
	body := d.Body
	if word := d.Webhook.Format; word != "" {
		body = callbackObject.ReplaceAllLiteral(body, []byte(`{"object":"`+word+`_business_account"`))
	}
	return relay.Request{Method: http.MethodPost, URL: d.Webhook.URL, Body: body}, nil
}
