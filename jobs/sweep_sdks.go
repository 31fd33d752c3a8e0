package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/documentation/sdk/builds"
	"heliograph/jobs/args"
)

// sweepSDKs deletes archives of client libraries that no build has.
type sweepSDKs struct {
	river.WorkerDefaults[args.SweepSDKs]
	deps Deps
}

func (w *sweepSDKs) Timeout(*river.Job[args.SweepSDKs]) time.Duration { return 10 * time.Minute }

func (w *sweepSDKs) Work(ctx context.Context, _ *river.Job[args.SweepSDKs]) error {
	return builds.Sweep(ctx, w.deps.Pool, w.deps.Store, time.Now())
}
