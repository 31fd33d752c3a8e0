package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/documentation/editorial"
	"heliograph/jobs/args"
)

// checkChanges checks the items of a change set after somebody changed it.
type checkChanges struct {
	river.WorkerDefaults[args.CheckChanges]
	deps Deps
}

// Timeout leaves time for a change set of a thousand items.
func (w *checkChanges) Timeout(*river.Job[args.CheckChanges]) time.Duration { return 2 * time.Minute }

func (w *checkChanges) Work(ctx context.Context, job *river.Job[args.CheckChanges]) error {
	err := once(ctx, w.deps.Pool, job, func(tx pgx.Tx) error {
		return editorial.RunChecks(ctx, tx, job.Args.ChangeSetID)
	})
	if err == nil {
		w.deps.Signals.Add(editorial.ChecksTopic, 0)
	}
	return err
}
