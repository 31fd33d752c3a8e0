package jobs

import (
	"context"

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
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	rule := w.deps.importing()
	rule.Jobs = client
	return rule.Tend(ctx)
}
