package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/messaging"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// riverDriver names the driver to river.JobCompleteTx.
type riverDriver = riverpgxv5.Driver

// reportMessage moves a message to the next state that its carrier announced.
type reportMessage struct {
	river.WorkerDefaults[args.ReportMessage]
	deps Deps
}

func (w *reportMessage) NextRetry(job *river.Job[args.ReportMessage]) time.Time {
	return soon(job.Attempt)
}

func (w *reportMessage) Work(ctx context.Context, job *river.Job[args.ReportMessage]) error {
	m, err := queries.MessageGet(ctx, w.deps.Pool, job.Args.MessageID)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("message %s is gone", job.Args.MessageID))
	}
	if err != nil {
		return fmt.Errorf("loading message %s: %w", job.Args.MessageID, err)
	}
	step := messaging.Step{MessageID: m.ID, State: job.Args.State, At: time.Now()}
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := advance(ctx, tx, w.deps, m, step); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}

var errNoClient = errors.New("the job runs without its client")

// advance reports a step and, when the carrier knows what comes next, inserts
// the job that will report it. A recipient who answers writes in.
func advance(ctx context.Context, tx pgx.Tx, deps Deps, m models.Message, step messaging.Step) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	if step.State == string(outbound.Replied) {
		return messaging.Echo(ctx, tx, client, m)
	}
	moved, err := messaging.Report(ctx, tx, client, step)
	if err != nil || !moved {
		return err
	}
	if step.State == string(outbound.Read) && m.Kind == "interactive" {
		if err := awaitPayment(ctx, tx, deps, m.ID); err != nil {
			return err
		}
	}
	next, ok := deps.Carrier.Next(m.Recipient, outbound.State(step.State))
	if !ok {
		return nil
	}
	opts := &river.InsertOpts{}
	if next.Delay > 0 {
		opts.ScheduledAt = time.Now().Add(next.Delay)
	}
	_, err = client.InsertTx(ctx, tx, args.ReportMessage{MessageID: m.ID, State: string(next.State)}, opts)
	return err
}
