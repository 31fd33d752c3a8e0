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

	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// Step is a change of a message's state that its carrier reports.
type Step struct {
	MessageID  uuid.UUID
	State      string // sent, delivered, read or failed
	At         time.Time
	ProviderID string   // the carrier's own id, or empty
	Failure    *Failure // set when State is failed
}

// Failure is the reason why a message failed, with the codes of the channel.
type Failure struct {
	Code   int    `json:"code"`
	Title  string `json:"title"`
	Detail string `json:"detail,omitempty"`
}

// previousStates maps a state to the ones that it may follow. A message only
// moves forward.
var previousStates = map[string][]string{
	"sent":      {"accepted"},
	"delivered": {"accepted", "sent"},
	"read":      {"accepted", "sent", "delivered"},
	"failed":    {"accepted", "sent"},
}

// Report applies steps in the caller's transaction. For numbers with a webhook
// it also stores the callbacks and their jobs. It returns the messages that
// changed, in their new state. A repeated or late report changes nothing. Steps
// of the same message are applied in order.
func Report(ctx context.Context, tx pgx.Tx, jobs args.Inserter, steps ...Step) (moved []models.Moved, err error) {
	for len(steps) > 0 {
		now, later := map[uuid.UUID]Step{}, []Step(nil)
		for _, step := range steps {
			if _, twice := now[step.MessageID]; twice {
				later = append(later, step)
			} else {
				now[step.MessageID] = step
			}
		}
		some, err := report(ctx, tx, jobs, now)
		if err != nil {
			return nil, err
		}
		moved, steps = append(moved, some...), later
	}
	return moved, nil
}

// report applies one step for each message.
func report(ctx context.Context, tx pgx.Tx, jobs args.Inserter, steps map[uuid.UUID]Step) ([]models.Moved, error) {
	moves := make([]queries.MessageMove, 0, len(steps))
	for _, step := range steps {
		move, err := step.move()
		if err != nil {
			return nil, err
		}
		moves = append(moves, move)
	}
	moved, err := queries.MessageUpdateStates(ctx, tx, moves)
	if err != nil {
		return nil, fmt.Errorf("moving %d messages: %w", len(moves), err)
	}
	var notices []notice
	for _, m := range moved {
		if m.WebhookID == 0 {
			continue
		}
		to := models.Webhook{ID: m.WebhookID}
		if m.WebhookFailing {
			to.Failures = 1
		}
		notices = append(notices, notice{to: to, event: "message." + m.State, messageID: &m.ID, payload: statusCallback(m, steps[m.ID])})
	}
	if len(notices) == 0 {
		return moved, nil
	}
	return moved, relayCallbacks(ctx, tx, jobs, notices...)
}

func (s Step) move() (queries.MessageMove, error) {
	move := queries.MessageMove{ID: s.MessageID, To: s.State, From: previousStates[s.State], At: s.At, ProviderID: s.ProviderID}
	if move.From == nil {
		return move, fmt.Errorf("a message cannot be reported as %q", s.State)
	}
	if s.Failure == nil {
		return move, nil
	}
	failure, err := json.Marshal(s.Failure)
	if err != nil {
		return move, fmt.Errorf("writing the failure: %w", err)
	}
	move.Failure = failure
	return move, nil
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
		status.Errors = []callbackError{{Code: f.Code, Title: f.Title, Message: f.Title}}
		if f.Detail != "" {
			status.Errors[0].ErrorData = map[string]string{"details": f.Detail}
		}
	}
	return newCallback(m.Product, m.BusinessAccountID, "messages", MessagesChange{
		MessagingProduct: m.Product,
		Metadata:         callbackMetadata{DisplayPhoneNumber: m.Number[1:], PhoneNumberID: strconv.FormatInt(m.SenderID, 10)},
		Statuses:         []CallbackStatus{status},
	})
}

// conversation returns the conversation of a message. Its id is computed from
// its sender, recipient, category and day, so that nothing has to be stored.
func conversation(m models.Moved) *callbackConversation {
	day := m.CreatedAt.UTC().Truncate(24 * time.Hour)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s %d", m.SenderID, m.Recipient, m.Category, day.Unix()))
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
