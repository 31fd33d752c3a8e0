package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/operation/retention"
	"heliograph/jobs/args"
)

// purgeLogs keeps the partitions of messages and callbacks, and deletes contents and
// logs that were kept long enough.
type purgeLogs struct {
	river.WorkerDefaults[args.PurgeLogs]
	deps Deps
}

// Timeout leaves time for much to delete. The next run goes on with the rest.
func (w *purgeLogs) Timeout(*river.Job[args.PurgeLogs]) time.Duration { return 20 * time.Minute }

func (w *purgeLogs) Work(ctx context.Context, _ *river.Job[args.PurgeLogs]) error {
	return retention.Purge(ctx, w.deps.Pool, time.Now())
}
