package jobs

import (
	"context"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

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

// deliver hands a message to its provider. Attempts are counted in the message, so that
// the job's own attempts count crashes only.
func deliver[T river.JobArgs](ctx context.Context, deps Deps, job *river.Job[T], id uuid.UUID) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	return orAgain(deps.notifications(client).Deliver(ctx, id, completing(ctx, job)))
}
