package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/operation/metric"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// sendEmail hands an email to its provider.
type sendEmail struct {
	river.WorkerDefaults[args.SendEmail]
	deps Deps
}

func (w *sendEmail) Work(ctx context.Context, job *river.Job[args.SendEmail]) error {
	return deliver(ctx, w.deps, job, job.Args.NotificationID)
}

// deliver hands a message to its provider and stores the result together with the
// end or the snooze of the job. Attempts are counted in the message, so that the
// job's own attempts count crashes only.
func deliver[T river.JobArgs](ctx context.Context, deps Deps, job *river.Job[T], id uuid.UUID) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	messages := notification.New(notification.Options{DB: deps.Pool, Keyring: deps.Keyring, Settings: deps.Settings, Jobs: client})
	d, err := messages.Begin(ctx, id)
	if err != nil || d == nil {
		return err
	}
	attempt := deps.Courier.Deliver(ctx, *d)
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err() // this process is being stopped; the provider is not to blame
	}
	var again time.Duration
	err = db.InTx(ctx, deps.Pool, func(tx pgx.Tx) error {
		if again, err = messages.End(ctx, tx, *d, attempt); err != nil || again > 0 {
			return err
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
	if err != nil {
		return err
	}
	switch {
	case again > 0:
		metric.Notification(d.Kind, "again")
		return river.JobSnooze(again)
	case attempt.Outcome == models.OutcomeAccepted:
		metric.Notification(d.Kind, "sent")
	default:
		metric.Notification(d.Kind, "failed")
	}
	return nil
}
