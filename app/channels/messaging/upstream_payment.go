package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/media"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// postedPayment is what a status of a payment says beside other statuses.
type postedPayment struct {
	Payment struct {
		Reference   string `json:"reference_id"`
		Transaction struct {
			ID     string `json:"id"`
			Status string `json:"status"`
		} `json:"transaction"`
	} `json:"payment"`
}

// PaymentObserver moves the payments of orders to what an upstream says about them.
type PaymentObserver struct {
	DB   db.Beginner
	Jobs args.Inserter
}

// Observe moves the payment of an order. A payment that was captured before its beginning
// was known begins, too. A state that is not known here changes nothing.
func (o PaymentObserver) Observe(ctx context.Context, step PaymentStep) (moved bool, err error) {
	err = db.InTx(ctx, o.DB, func(tx pgx.Tx) error {
		moved, err = observePayment(ctx, tx, o.Jobs, step)
		return err
	})
	return moved, err
}

func observePayment(ctx context.Context, tx pgx.Tx, jobs args.Inserter, step PaymentStep) (moved bool, err error) {
	if previousPaymentStates[step.Status] == nil {
		return false, nil
	}
	step.TransactionID = media.Printable(step.TransactionID, 60)
	order, err := queries.OrderGet(ctx, tx, step.MessageID)
	if err != nil {
		return false, db.Absent(err, nil, "reading the order of %s", step.MessageID)
	}
	switch {
	case order.PaymentStatus == step.Status:
		return false, nil
	case step.Status != "PENDING" && (order.PaymentStatus == "NEW" || order.PaymentStatus == "FAILED" && step.Status == "CAPTURED"):
		begun := step
		begun.Status = "PENDING" // perhaps another post has reported it by now
		if _, err := ReportPayment(ctx, tx, jobs, begun); err != nil {
			return false, err
		}
	}
	return ReportPayment(ctx, tx, jobs, step)
}

// takePayment moves the payment of an order that a status is about. One that is none of
// the number's changes nothing.
func (t *Taker) takePayment(ctx context.Context, tx pgx.Tx, carrier string, number models.PhoneNumber, raw json.RawMessage, s postedStatus) (moved bool, err error) {
	m, _, ok, err := t.step(ctx, tx, carrier, number, s)
	if err != nil || !ok {
		return false, err
	}
	var posted postedPayment
	if json.Unmarshal(raw, &posted) != nil {
		return false, nil
	}
	order, err := queries.OrderFind(ctx, tx, number.ID, m.ID)
	if db.IsNoRows(err) || err == nil && posted.Payment.Reference != "" && posted.Payment.Reference != order.Reference {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the order of %s: %w", m.ID, err)
	}
	return observePayment(ctx, tx, t.Jobs, PaymentStep{
		MessageID: m.ID, Status: strings.ToUpper(s.Status), At: timeOf(s.Timestamp, time.Now().Add(-keepUpstreamPosts)), TransactionID: posted.Payment.Transaction.ID,
	})
}
