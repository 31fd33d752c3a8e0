package messaging

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// order returns the particulars of a message that opens an order or has news
// of one, nil for any other.
func (r *SendRequest) order() *ActionParameters {
	if r.Interactive != nil && (r.Interactive.Type == "order_details" || r.Interactive.Type == "order_status") {
		return r.Interactive.Action.Parameters
	}
	return nil
}

// sendOrder accepts a message about an order in one transaction with what it
// does to the order, so that the two cannot differ. These are few, so they
// stay out of the batches in which others are accepted.
func (s *Service) sendOrder(ctx context.Context, made Request, message models.Message, r *SendRequest, reply SendReply) (Reply, error) {
	change := moveOrder
	if r.Interactive.Type == "order_details" {
		change = openOrder
	}
	return s.Once(ctx, made, func(tx pgx.Tx) (any, error) {
		if _, err := queries.MessageInsertMany(ctx, tx, []queries.AcceptedMessage{{Message: message}}, carrying); err != nil {
			return nil, fmt.Errorf("storing message %s: %w", message.ID, err)
		}
		if err := change(ctx, tx, message, r.order()); err != nil {
			return nil, err
		}
		return reply, nil
	})
}

// openOrder begins the payment of the order in a message.
func openOrder(ctx context.Context, tx pgx.Tx, message models.Message, p *ActionParameters) error {
	o := models.Order{
		MessageID: message.ID, PhoneNumberID: message.SenderID, Configuration: string(p.PaymentConfiguration), Reference: string(p.ReferenceID),
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
	opened, err := queries.OrderInsert(ctx, tx, o)
	if err != nil {
		return fmt.Errorf("opening order %s: %w", o.Reference, err)
	}
	if !opened {
		return reject(codeValue, pathParameters+".reference_id", "order %s was sent before under %s: use each reference_id once", o.Reference, o.Configuration)
	}
	return nil
}

// moveOrder applies news of an order to it. An order that is completed or
// canceled stays so, and one that is paid cannot be canceled.
func moveOrder(ctx context.Context, tx pgx.Tx, message models.Message, p *ActionParameters) error {
	o, err := queries.OrderLockLatest(ctx, tx, message.SenderID, message.Recipient, string(p.ReferenceID))
	if db.IsNoRows(err) {
		return reject(codeValue, pathParameters+".reference_id", "no order %s was sent to %s", p.ReferenceID, message.Recipient)
	}
	if err != nil {
		return fmt.Errorf("looking order %s up: %w", p.ReferenceID, err)
	}
	canceled := p.Order.Status == "canceled"
	switch {
	case o.Status == "completed" || o.Status == "canceled":
		return reject(codeValue, pathOrder+".status", "order %s is %s: its status cannot change any more", o.Reference, o.Status)
	case canceled && o.PaymentStatus == "CAPTURED":
		return reject(codeValue, pathOrder+".status", "order %s is paid: it cannot be canceled", o.Reference)
	case canceled:
		o.PaymentStatus = "CANCELED"
		if _, err := queries.TransactionUpdatePending(ctx, tx, o.MessageID, "failed", time.Now()); err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("ending the payment of order %s: %w", o.Reference, err)
		}
	}
	if err := queries.OrderUpdateStatus(ctx, tx, o.MessageID, string(p.Order.Status), o.PaymentStatus); err != nil {
		return fmt.Errorf("moving order %s: %w", o.Reference, err)
	}
	return nil
}
