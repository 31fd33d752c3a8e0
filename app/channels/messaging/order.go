package messaging

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/pipeline"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// orderParameters returns the parameters of a message that opens or updates an
// order, or nil for any other.
func (r *sendRequest) orderParameters() *actionParameters {
	if r.Interactive != nil && (r.Interactive.Type == "order_details" || r.Interactive.Type == "order_status") {
		return r.Interactive.Action.Parameters
	}
	return nil
}

// sendOrder stores a message about an order and the change of the order in one
// transaction, so that the two cannot differ. Such messages are rare, so they
// do not use the acceptor's batches.
func (s *Sender) sendOrder(ctx context.Context, key pipeline.Key, message models.Message, r *sendRequest, reply SendReply) (pipeline.Reply, error) {
	change := s.updateOrder
	if r.Interactive.Type == "order_details" {
		change = openOrder
	}
	return s.DoOnce(ctx, key, func(tx pgx.Tx) (any, error) {
		if err := s.acceptor.AcceptTx(ctx, tx, message); err != nil {
			return nil, err
		}
		if err := change(ctx, tx, message, r.orderParameters()); err != nil {
			return nil, err
		}
		return reply, nil
	})
}

// openOrder stores the order of a message.
func openOrder(ctx context.Context, tx pgx.Tx, message models.Message, p *actionParameters) error {
	number, err := senderID(message)
	if err != nil {
		return err
	}
	o := models.Order{
		MessageID: message.ID, PhoneNumberID: number, Configuration: string(p.PaymentConfiguration), Reference: string(p.ReferenceID),
		Recipient: message.Recipient, PaymentType: "upi", Currency: string(p.Currency),
		Amount: int64(*p.TotalAmount.Value), Offset: int(*p.TotalAmount.Offset),
	}
	if p.PaymentType != "" {
		o.PaymentType = string(p.PaymentType)
	}
	if e := p.Order.Expiration; e != nil {
		seconds, err := strconv.ParseInt(string(e.Timestamp), 10, 64)
		if err != nil {
			return fmt.Errorf("reading when order %s expires: %w", o.Reference, err)
		}
		at := time.Unix(seconds, 0)
		o.ExpiresAt = &at
	}
	opened, err := writes.OrderInsert(ctx, tx, o)
	if err != nil {
		return fmt.Errorf("opening order %s: %w", o.Reference, err)
	}
	if !opened {
		return refusal.New(refusal.Value, pathParameters+".reference_id", "order %s was already sent with payment configuration %s: use a new reference_id for each order", o.Reference, o.Configuration)
	}
	return nil
}

// updateOrder applies a new status to an order. A completed or canceled order
// cannot change, and a paid one cannot be canceled. Canceling ends the payment, with
// a callback.
func (s *Sender) updateOrder(ctx context.Context, tx pgx.Tx, message models.Message, p *actionParameters) error {
	number, err := senderID(message)
	if err != nil {
		return err
	}
	o, err := writes.OrderLockLatest(ctx, tx, message.OrganisationID, number, message.Recipient, string(p.ReferenceID))
	if err != nil {
		absent := refusal.New(refusal.Value, pathParameters+".reference_id", "no order %s was sent to %s", p.ReferenceID, message.Recipient)
		return db.Absent(err, absent, "looking order %s up", p.ReferenceID)
	}
	canceled := p.Order.Status == "canceled"
	switch {
	case o.Status == "completed" || o.Status == "canceled":
		return refusal.New(refusal.Value, pathOrder+".status", "order %s is %s: its status can no longer change", o.Reference, o.Status)
	case canceled && o.PaymentStatus == "CAPTURED":
		return refusal.New(refusal.Value, pathOrder+".status", "order %s is paid: it cannot be canceled", o.Reference)
	case canceled:
		o.PaymentStatus = paymentCanceled
		if err := s.cancelPayment(ctx, tx, o); err != nil {
			return fmt.Errorf("ending the payment of order %s: %w", o.Reference, err)
		}
	}
	if err := writes.OrderUpdateStatus(ctx, tx, o.MessageID, string(p.Order.Status), o.PaymentStatus); err != nil {
		return fmt.Errorf("moving order %s: %w", o.Reference, err)
	}
	return nil
}

// paymentCanceled is the payment status of a canceled order.
const paymentCanceled = "CANCELED"

// cancelPayment ends the payment attempt in progress, if any, and stores the callback
// about the canceled payment.
func (s *Sender) cancelPayment(ctx context.Context, tx pgx.Tx, o models.Order) error {
	var attempt *models.Transaction
	now := time.Now()
	t, err := writes.TransactionUpdatePending(ctx, tx, o.MessageID, "failed", now)
	switch {
	case err == nil:
		attempt = &t
	case !db.IsNoRows(err):
		return err
	}
	m, err := queries.MessageGet(ctx, tx, o.MessageID)
	if err != nil {
		return fmt.Errorf("loading message %s: %w", o.MessageID, err)
	}
	step := PaymentStep{MessageID: o.MessageID, Status: paymentCanceled, At: now}
	return relayPayment(ctx, tx, s.jobs, m, paymentChange{step, newCallbackPayment(o, attempt)})
}
