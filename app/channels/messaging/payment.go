package messaging

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/callback"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Payment returns an order of a number and its payment attempts, oldest first.
// configuration and reference come from the message that opened it.
func (s *Sender) Payment(ctx context.Context, number models.PhoneNumber, configuration, reference string) (models.Order, []models.Transaction, error) {
	if !referencePattern.MatchString(reference) {
		return models.Order{}, nil, refusal.New(refusal.Invalid, "order-id", "an order id has 1 to 35 letters, digits, dots, hyphens and underscores")
	}
	if n := utf8.RuneCountInString(configuration); n > maxConfiguration || !utf8.ValidString(configuration) || strings.ContainsRune(configuration, 0) {
		return models.Order{}, nil, refusal.New(refusal.Invalid, "payment_configuration", "the name of a payment configuration has 1 to %d characters", maxConfiguration)
	}
	o, err := queries.OrderGetByReference(ctx, s.pool, number.ID, configuration, reference)
	if db.IsNoRows(err) {
		return o, nil, &fault.Error{
			Kind: fault.NotFound, Code: strconv.Itoa(refusal.Object), Message: fmt.Sprintf("Order %s does not exist", reference),
			Fields: []fault.Field{{Message: "use reference_id and payment_configuration of an order_details message from this number"}},
		}
	}
	if err != nil {
		return o, nil, fmt.Errorf("reading order %s: %w", reference, err)
	}
	transactions, err := queries.TransactionList(ctx, s.pool, o.MessageID)
	if err != nil {
		return o, nil, fmt.Errorf("reading the payment of order %s: %w", reference, err)
	}
	return o, transactions, nil
}

// PaymentStep is a reported change of the payment of an order.
type PaymentStep struct {
	MessageID uuid.UUID // of the message that opened the order
	Status    string    // PENDING, CAPTURED or FAILED
	At        time.Time
	// TransactionID is the id of the attempt that begins, where an upstream names it.
	TransactionID string
}

// previousPaymentStates maps a payment status to the ones that it may follow.
var previousPaymentStates = map[string][]string{
	"PENDING":  {"NEW", "FAILED"},
	"CAPTURED": {"PENDING"},
	"FAILED":   {"PENDING"},
}

// ReportPayment applies a payment step in the caller's transaction. If the
// number has a webhook, it also stores the callback and its job. A repeated or
// late report changes nothing, nor does an attempt that starts after the order
// expired; moved is false then.
func ReportPayment(ctx context.Context, tx pgx.Tx, jobs args.Inserter, step PaymentStep) (moved bool, err error) {
	from, ok := previousPaymentStates[step.Status]
	if !ok {
		return false, fmt.Errorf("a payment cannot be reported as %q", step.Status)
	}
	o, err := writes.OrderUpdatePayment(ctx, tx, step.MessageID, step.Status, from)
	if err != nil {
		return false, db.Absent(err, nil, "moving the payment of %s to %s", step.MessageID, step.Status)
	}
	t, err := recordAttempt(ctx, tx, step)
	if err != nil {
		return false, fmt.Errorf("recording the payment of %s: %w", step.MessageID, err)
	}
	m, err := queries.MessageGet(ctx, tx, o.MessageID)
	if err != nil {
		return false, fmt.Errorf("loading message %s: %w", o.MessageID, err)
	}
	return true, relayPayment(ctx, tx, jobs, m, paymentChange{step, newCallbackPayment(o, &t)})
}

// paymentChange is a change of a payment with what its callback says.
type paymentChange struct {
	PaymentStep
	payment *callbackPayment
}

// relayPayment stores the callback about a change of the payment that a message has
// asked for.
func relayPayment(ctx context.Context, tx pgx.Tx, jobs args.Inserter, m models.Message, change paymentChange) error {
	number, err := senderID(m)
	if err != nil {
		return err
	}
	product := productOf(m)
	who, err := recipientsOf(ctx, tx, m)
	if err != nil {
		return err
	}
	status := CallbackStatus{
		ID: MessageID(m.ID), Type: "payment", Status: strings.ToLower(change.Status), Timestamp: strconv.FormatInt(change.At.Unix(), 10),
		Reference: m.Reference, Payment: change.payment,
	}
	status.address(m, who.of(m))
	return relayToNumber(ctx, tx, jobs, number, func(number models.PhoneNumber) relay.Event {
		return relay.Event{Kind: "payment." + status.Status, MessageID: &m.ID, Body: callback.New(product, number.BusinessAccountID, "messages", MessagesChange{
			MessagingProduct: product,
			Metadata:         callbackMetadata{DisplayPhoneNumber: number.Number[1:], PhoneNumberID: strconv.FormatInt(number.ID, 10)},
			Statuses:         []CallbackStatus{status},
		})}
	})
}

// recordAttempt starts a payment attempt or ends the one in progress.
func recordAttempt(ctx context.Context, tx pgx.Tx, step PaymentStep) (models.Transaction, error) {
	switch step.Status {
	case "PENDING":
		return writes.TransactionInsert(ctx, tx, step.MessageID, cmp.Or(step.TransactionID, "txn-"+rand.Text()), step.At)
	case "CAPTURED":
		return writes.TransactionUpdatePending(ctx, tx, step.MessageID, "success", step.At)
	}
	return writes.TransactionUpdatePending(ctx, tx, step.MessageID, "failed", step.At)
}

// callbackPayment is the payment of an order in a callback.
type callbackPayment struct {
	ReferenceID string        `json:"reference_id"`
	Amount      PaymentAmount `json:"amount"`
	Currency    string        `json:"currency"`
	// Transaction is the latest attempt; nil if there was none.
	Transaction *PaymentTransaction `json:"transaction,omitempty"`
}

// PaymentAmount is money: Value divided by Offset.
type PaymentAmount struct {
	Value  int64 `json:"value"`
	Offset int   `json:"offset"`
}

// PaymentTransaction is a payment attempt. Its times are in Unix seconds.
type PaymentTransaction struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	Status    string `json:"status"`
	CreatedAt int64  `json:"created_timestamp"`
	UpdatedAt int64  `json:"updated_timestamp"`
}

// NewPaymentTransaction returns the public form of a payment attempt.
func NewPaymentTransaction(o models.Order, t models.Transaction) PaymentTransaction {
	return PaymentTransaction{ID: t.ID, Type: o.PaymentType, Status: t.Status, CreatedAt: t.CreatedAt.Unix(), UpdatedAt: t.UpdatedAt.Unix()}
}

func newCallbackPayment(o models.Order, t *models.Transaction) *callbackPayment {
	p := &callbackPayment{ReferenceID: o.Reference, Amount: PaymentAmount{o.Amount, o.Offset}, Currency: o.Currency}
	if t != nil {
		latest := NewPaymentTransaction(o, *t)
		p.Transaction = &latest
	}
	return p
}
