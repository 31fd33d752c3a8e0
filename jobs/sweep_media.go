package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging/media"
	"heliograph/jobs/args"
)

// sweepMedia deletes expired media and uploads with their files.
type sweepMedia struct {
	river.WorkerDefaults[args.SweepMedia]
	deps Deps
}

func (w *sweepMedia) Timeout(*river.Job[args.SweepMedia]) time.Duration { return 10 * time.Minute }

func (w *sweepMedia) Work(ctx context.Context, _ *river.Job[args.SweepMedia]) error {
	return media.Sweep(ctx, w.deps.Pool, w.deps.Store)
}
