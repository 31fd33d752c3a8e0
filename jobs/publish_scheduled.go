package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/documentation/editorial"
	"heliograph/jobs/args"
)

// publishScheduled publishes a change set that is due.
type publishScheduled struct {
	river.WorkerDefaults[args.PublishScheduled]
	deps Deps
}

func (w *publishScheduled) Work(ctx context.Context, job *river.Job[args.PublishScheduled]) error {
	return once(ctx, w.deps.Pool, job, func(tx pgx.Tx) error {
		return editorial.PublishDue(ctx, tx, job.Args.ChangeSetID, job.Args.At)
	})
}
