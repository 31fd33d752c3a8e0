package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/jobs/args"
)

// checkWatches starts reading the watched addresses that are due, and deletes the bytes
// of old imports.
type checkWatches struct {
	river.WorkerDefaults[args.CheckWatches]
	deps Deps
}

func (w *checkWatches) Work(ctx context.Context, _ *river.Job[args.CheckWatches]) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return err
	}
	rule := w.deps.importing()
	rule.Jobs = client
	if err := rule.Watches.Check(ctx); err != nil {
		return err
	}
	return rule.Sweep(ctx)
}
