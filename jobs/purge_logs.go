package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/retention"
	"heliograph/jobs/args"
)

// purgeLogs deletes contents and logs of messages that were kept long enough.
type purgeLogs struct {
	river.WorkerDefaults[args.PurgeLogs]
	deps Deps
}

// Timeout leaves time for much to delete. The next run goes on with the rest.
func (w *purgeLogs) Timeout(*river.Job[args.PurgeLogs]) time.Duration { return 20 * time.Minute }

func (w *purgeLogs) Work(ctx context.Context, _ *river.Job[args.PurgeLogs]) error {
	deleted, err := retention.Sweep(ctx, w.deps.Pool, time.Now())
	if deleted > 0 {
		slog.InfoContext(ctx, "old messages and callbacks were deleted", "rows", deleted)
	}
	return err
}
