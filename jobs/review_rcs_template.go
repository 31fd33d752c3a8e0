package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/rcs"
	"heliograph/jobs/args"
)

// reviewRCSTemplate reviews an RCS template.
type reviewRCSTemplate struct {
	river.WorkerDefaults[args.ReviewRCSTemplate]
	deps Deps
}

func (w *reviewRCSTemplate) Work(ctx context.Context, job *river.Job[args.ReviewRCSTemplate]) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	return once(ctx, w.deps.Pool, job, func(tx pgx.Tx) error {
		return rcs.ReviewAutomatically(ctx, tx, client, job.Args)
	})
}
