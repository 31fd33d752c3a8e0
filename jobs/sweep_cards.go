package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/documentation/card"
	"heliograph/jobs/args"
)

// sweepCards deletes old pictures of pages.
type sweepCards struct {
	river.WorkerDefaults[args.SweepCards]
	deps Deps
}

func (w *sweepCards) Timeout(*river.Job[args.SweepCards]) time.Duration { return 10 * time.Minute }

func (w *sweepCards) Work(ctx context.Context, _ *river.Job[args.SweepCards]) error {
	return card.Sweep(ctx, w.deps.Store, time.Now())
}
