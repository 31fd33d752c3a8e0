package messaging

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/callback"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/app/input"
	"heliograph/app/lists"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// statusCallbacks returns the callbacks about messages that changed their state.
func statusCallbacks(ctx context.Context, tx pgx.Tx, changes []pipeline.Change) ([]relay.Event, error) {
	senders := make([]int64, 0, len(changes))
	for _, c := range changes {
		id, err := senderID(c.Message)
		if err != nil {
			return nil, err
		}
		senders = append(senders, id)
	}
	numbers, err := queries.PhoneNumberListByID(ctx, tx, senders)
	if err != nil {
		return nil, fmt.Errorf("looking the senders of %d messages up: %w", len(changes), err)
	}
	of := map[string]models.PhoneNumber{}
	for _, n := range numbers {
		of[strconv.FormatInt(n.ID, 10)] = n
	}
	messages := lists.Map(changes, func(c pipeline.Change) models.Message { return c.Message })
	known, err := recipientsOf(ctx, tx, messages...)
	if err != nil {
		return nil, err
	}
	events := make([]relay.Event, 0, len(changes))
	for _, c := range changes {
		number, ok := of[c.Sender]
		if !ok {
			continue // the number was removed
		}
		events = append(events, relay.Event{
			WebhookID: c.WebhookID, Failing: c.WebhookFailing, Kind: "message." + c.State, MessageID: &c.ID, Body: statusCallback(c.Moved, number, c.Step, virtualPerson(number, known.of(c.Message))),
		})
	}
	return events, nil
}

// senderID returns the phone number that a message was sent from.
func senderID(m models.Message) (int64, error) {
	id, err := strconv.ParseInt(m.Sender, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("message %s has sender %q: %w", m.ID, m.Sender, err)
	}
	return id, nil
}

// productOf returns the channel word that the sender of a message used.
func productOf(m models.Message) string {
	var sent struct {
		Product input.Text `json:"messaging_product"`
	}
	_ = json.Unmarshal(m.Payload, &sent) // the payload was written by Send
	return string(sent.Product)
}

// statusCallback returns the callback about a new state of a message to a person.
func statusCallback(m models.Moved, n models.PhoneNumber, step pipeline.Step, to models.Person) callback.Body {
	product := productOf(m.Message)
	status := CallbackStatus{
		ID: MessageID(m.ID), Status: step.State, Timestamp: strconv.FormatInt(m.At.Unix(), 10),
		Reference: m.Reference,
	}
	contacts := status.address(m.Message, to)
	if step.State != pipeline.Failed && m.Category != "" {
		status.Conversation, status.Pricing = conversation(m), pricing(m.Category)
	}
	if f := step.Failure; f != nil {
		status.Errors = []callbackError{{Code: f.Code, Title: f.Title, Message: f.Title}}
		if f.Detail != "" {
			status.Errors[0].ErrorData = map[string]string{"details": f.Detail}
		}
	}
	return callback.New(product, n.BusinessAccountID, "messages", MessagesChange{
		MessagingProduct: product,
		Metadata:         callbackMetadata{DisplayPhoneNumber: n.Number[1:], PhoneNumberID: m.Sender},
		Contacts:         contacts,
		Statuses:         []CallbackStatus{status},
	})
}

// conversation returns the conversation of a message. Its id is computed from
// its sender, recipient, category and day, so that nothing has to be stored.
func conversation(m models.Moved) *callbackConversation {
	day := m.CreatedAt.UTC().Truncate(24 * time.Hour)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %d", m.Sender, m.Recipient, m.Category, day.Unix()))
	return &callbackConversation{
		ID: hex.EncodeToString(sum[:16]), ExpirationTimestamp: strconv.FormatInt(day.Add(24*time.Hour).Unix(), 10),
		Origin: callbackOrigin{Type: m.Category},
	}
}

func pricing(category string) *callbackPricing {
	if category == "service" {
		return &callbackPricing{PricingModel: "PMP", Category: category, Type: "free_customer_service"}
	}
	return &callbackPricing{Billable: true, PricingModel: "PMP", Category: category, Type: "regular"}
}
