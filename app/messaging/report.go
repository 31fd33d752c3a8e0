package messaging

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
	to := models.Webhook{ID: m.WebhookID}
	if m.WebhookFailing {
		to.Failures = 1
	}
	return true, relay(ctx, tx, jobs, to, notice{event: "message." + step.State, messageID: &m.ID, payload: statusCallback(m, step)})
}

func statusCallback(m models.Moved, step Step) Callback {
	status := CallbackStatus{
		ID: MessageID(m.ID), Status: step.State, Timestamp: strconv.FormatInt(step.At.Unix(), 10),
		RecipientID: m.Recipient, Reference: m.Reference,
	}
	if step.State != "failed" && m.Category != "" {
		status.Conversation, status.Pricing = conversation(m), pricing(m.Category)
	}
	if f := step.Failure; f != nil {
		status.Errors = []CallbackError{{Code: f.Code, Title: f.Title, Message: f.Title}}
		if f.Detail != "" {
			status.Errors[0].ErrorData = map[string]string{"details": f.Detail}
		}
	}
	return newCallback(m.Product, m.BusinessAccountID, "messages", MessagesChange{
		MessagingProduct: m.Product,
		Metadata:         CallbackMetadata{DisplayPhoneNumber: m.Number[1:], PhoneNumberID: strconv.FormatInt(m.SenderID, 10)},
		Statuses:         []CallbackStatus{status},
	})
}

// conversation names what a message counts to. The id follows from what the
// conversation is of, so that nothing has to be kept.
func conversation(m models.Moved) *CallbackConversation {
	day := m.CreatedAt.UTC().Truncate(24 * time.Hour)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s %d", m.SenderID, m.Recipient, m.Category, day.Unix()))
	return &CallbackConversation{
		ID: hex.EncodeToString(sum[:16]), ExpirationTimestamp: strconv.FormatInt(day.Add(24*time.Hour).Unix(), 10),
		Origin: CallbackOrigin{Type: m.Category},
	}
}

func pricing(category string) *CallbackPricing {
	if category == "service" {
		return &CallbackPricing{PricingModel: "PMP", Category: category, Type: "free_customer_service"}
	}
	return &CallbackPricing{Billable: true, PricingModel: "PMP", Category: category, Type: "regular"}
}
