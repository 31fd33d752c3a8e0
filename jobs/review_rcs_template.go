package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/rcs"
	"heliograph/db"
	"heliograph/jobs/args"
)

// reviewRCSTemplate reviews an RCS template.
type reviewRCSTemplate struct {
	river.WorkerDefaults[args.ReviewRCSTemplate]
	deps Deps
}

func (w *reviewRCSTemplate) Work(ctx context.Context, job *river.Job[args.ReviewRCSTemplate]) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := rcs.ReviewAutomatically(ctx, tx, client, job.Args); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}
