package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/documentation/editorial"
	"heliograph/db"
	"heliograph/jobs/args"
)

// publishScheduled publishes a change set that is due.
type publishScheduled struct {
	river.WorkerDefaults[args.PublishScheduled]
	deps Deps
}

func (w *publishScheduled) Work(ctx context.Context, job *river.Job[args.PublishScheduled]) error {
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := editorial.PublishDue(ctx, tx, job.Args.ChangeSetID, job.Args.At); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}
