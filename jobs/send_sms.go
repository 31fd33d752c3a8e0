package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/jobs/args"
)

// sendSMS hands an SMS to its provider.
type sendSMS struct {
	river.WorkerDefaults[args.SendSMS]
	deps Deps
}

func (w *sendSMS) Work(ctx context.Context, job *river.Job[args.SendSMS]) error {
	return deliver(ctx, w.deps, job, job.Args.NotificationID)
}
