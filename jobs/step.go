package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/messaging"
	"heliograph/app/metric"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// step is what a job found out about a message, and the job.
type step struct {
	messaging.Step
	jobID  int64
	client *river.Client[pgx.Tx]
}

var errNoClient = errors.New("the job runs without its client")

// stepOf makes the step of a job that is being worked.
func stepOf(ctx context.Context, jobID int64, s messaging.Step) (step, error) {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return step{}, errNoClient
	}
	return step{s, jobID, client}, nil
}

// newSteps lets the jobs of messages share transactions: each reports its step,
// inserts the job of the next one and ends.
func newSteps(deps Deps) *db.Group[step] {
	return db.NewGroup(func(ctx context.Context, steps []step) error {
		var moved []models.Moved
		err := db.InTx(ctx, deps.Pool, func(tx pgx.Tx) error {
			client, reports, ids := steps[0].client, make([]messaging.Step, len(steps)), make([]int64, len(steps))
			for i, s := range steps {
				reports[i], ids[i] = s.Step, s.jobID
			}
			var err error
			if moved, err = messaging.Report(ctx, tx, client, reports...); err != nil {
				return err
			}
			for _, m := range moved {
				if m.State == string(outbound.Read) && m.Kind == "interactive" {
					if err := awaitPayment(ctx, tx, client, deps.Carrier, m.ID); err != nil {
						return err
					}
				}
			}
			if next := nextSteps(deps.Carrier, moved); len(next) > 0 {
				if _, err := client.InsertManyFastTx(ctx, tx, next); err != nil {
					return fmt.Errorf("inserting the jobs of the next steps: %w", err)
				}
			}
			return queries.JobUpdateCompleted(ctx, tx, ids)
		})
		if err != nil {
			return err
		}
		for _, m := range moved {
			metric.Message(m.Channel, m.State, time.Since(m.CreatedAt))
			deps.Signals.Add("messages", m.OrganisationID)
			if m.WebhookID != 0 {
				deps.Signals.Add("callbacks", m.OrganisationID)
			}
		}
		return nil
	})
}

// nextSteps are the jobs that report what the carrier knows to come next.
func nextSteps(carrier outbound.Carrier, moved []models.Moved) (next []river.InsertManyParams) {
	for _, m := range moved {
		s, ok := carrier.Next(m.Recipient, outbound.State(m.State))
		if !ok {
			continue
		}
		opts := &river.InsertOpts{}
		if s.Delay > 0 {
			opts.ScheduledAt = time.Now().Add(s.Delay)
		}
		next = append(next, river.InsertManyParams{Args: args.ReportMessage{MessageID: m.ID, State: string(s.State)}, InsertOpts: opts})
	}
	return next
}
