package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/upstream"
	"heliograph/jobs/args"
)

// syncAssets reads what upstreams have of the numbers and catalogues that live there.
type syncAssets struct {
	river.WorkerDefaults[args.SyncAssets]
	assets *upstream.Assets
}

func (w *syncAssets) Work(ctx context.Context, job *river.Job[args.SyncAssets]) error {
	return w.assets.Sync(ctx, runOf(ctx, job))
}
