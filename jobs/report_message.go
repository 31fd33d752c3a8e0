package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/delivery"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// riverDriver names the driver to river.JobCompleteTx.
type riverDriver = riverpgxv5.Driver

// reportMessage moves a message to the next state that its carrier announced.
type reportMessage struct {
	river.WorkerDefaults[args.ReportMessage]
	deps  Deps
	steps *db.Group[step]
}

func (w *reportMessage) Work(ctx context.Context, job *river.Job[args.ReportMessage]) error {
	if job.Args.State == string(outbound.Replied) {
		return w.answer(ctx, job)
	}
	step := delivery.Step{MessageID: job.Args.MessageID, Leg: job.Args.Leg, State: job.Args.State, At: time.Now()}
	if job.Args.Code != 0 {
		step.Failure = &delivery.Failure{Code: job.Args.Code, Title: job.Args.Title}
	}
	steps := []delivery.Step{step}
	for part := range job.Args.Parts {
		if step.Part = part + 1; part == 0 {
			steps[0] = step
		} else {
			steps = append(steps, step)
		}
	}
	s, err := stepOf(ctx, job.ID, steps...)
	if err != nil {
		return err
	}
	s.simulator, _ = w.deps.Carrier.(outbound.Simulator)
	return w.steps.Do(ctx, s)
}

// answer simulates the reply of a message's recipient.
func (w *reportMessage) answer(ctx context.Context, job *river.Job[args.ReportMessage]) error {
	m, err := queries.MessageGet(ctx, w.deps.Pool, job.Args.MessageID)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("message %s is gone", job.Args.MessageID))
	}
	if err != nil {
		return fmt.Errorf("loading message %s: %w", job.Args.MessageID, err)
	}
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		simulate := messaging.SimulateReply
		switch m = m.OnLeg(job.Args.Leg); m.Channel {
		case rcs.Channel:
			simulate = rcs.SimulateReply
		case sms.Channel:
			simulate = sms.SimulateReply
		}
		if err := simulate(ctx, tx, client, m); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}
