package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// expireMessage fails a message that was not delivered by the end of its time to
// live. A message that was delivered stays as it is.
type expireMessage struct {
	river.WorkerDefaults[args.ExpireMessage]
	deps  Deps
	steps *db.Group[step]
}

func (w *expireMessage) Work(ctx context.Context, job *river.Job[args.ExpireMessage]) error {
	m, err := queries.MessageGet(ctx, w.deps.Pool, job.Args.MessageID)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("message %s is gone", job.Args.MessageID))
	}
	if err != nil {
		return fmt.Errorf("loading message %s: %w", job.Args.MessageID, err)
	}
	if m.Leg != max(job.Args.Leg, 1) {
		return nil
	}
	m = m.Current()
	channel, err := channels.All.Get(m.Channel)
	if err != nil {
		return err
	}
	s, err := stepOf(ctx, job.ID, channel.ExpiredStep(m, time.Now()))
	if err != nil {
		return err
	}
	return w.steps.Do(ctx, s)
}

// awaitExpiry inserts the jobs that look at messages when their life is over.
func awaitExpiry(ctx context.Context, tx pgx.Tx, jobs args.Inserter, moved []models.Moved) error {
	var later []river.InsertManyParams
	for _, moved := range moved {
		m := moved.Current()
		channel, err := channels.All.Get(m.Channel)
		if err != nil {
			return err
		}
		if channel.NeedsExpiry(m) {
			at, _ := channel.Expiry(m)
			later = append(later, river.InsertManyParams{Args: args.ExpireMessage{MessageID: m.ID, Leg: m.Leg}, InsertOpts: &river.InsertOpts{ScheduledAt: at}})
		}
	}
	if len(later) == 0 {
		return nil
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, later); err != nil {
		return fmt.Errorf("inserting the jobs that expire messages: %w", err)
	}
	return nil
}
