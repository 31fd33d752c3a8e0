package carry

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging"
	"heliograph/app/outbound"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// ReportPayment moves the payment of an order to the next status that its payer
// announced.
func (e *Engine) ReportPayment(ctx context.Context, run args.Run, a args.ReportPayment) error {
	if run.Inserter == nil {
		return errNoInserter
	}
	step := messaging.PaymentStep{MessageID: a.MessageID, Status: a.Status, At: time.Now()}
	return db.InTx(ctx, e.deps.Pool, func(tx pgx.Tx) error {
		moved, err := messaging.ReportPayment(ctx, tx, run.Inserter, step)
		if err != nil {
			return err
		}
		if simulator, ok := e.deps.Carrier.(outbound.Simulator); ok && moved {
			if err := awaitPayment(ctx, tx, run.Inserter, simulator, step.MessageID); err != nil {
				return err
			}
		}
		return complete(ctx, tx, run)
	})
}

// awaitPayment inserts the job that will report what the payer of an order does
// next. A message that opened no order has no payer.
func awaitPayment(ctx context.Context, tx pgx.Tx, jobs args.Inserter, simulator outbound.Simulator, messageID uuid.UUID) error {
	order, err := queries.OrderGet(ctx, tx, messageID)
	if db.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking the order of %s up: %w", messageID, err)
	}
	attempts, err := queries.TransactionList(ctx, tx, messageID)
	if err != nil {
		return fmt.Errorf("reading the payment of %s: %w", messageID, err)
	}
	next, ok := simulator.NextPayment(outbound.Payment{Status: order.PaymentStatus, Amount: order.Amount, Attempts: len(attempts)})
	if !ok {
		return nil
	}
	opts := &river.InsertOpts{}
	if next.Delay > 0 {
		opts.ScheduledAt = time.Now().Add(next.Delay)
	}
	_, err = jobs.InsertTx(ctx, tx, args.ReportPayment{MessageID: messageID, Status: next.Status}, opts)
	return err
}
