package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/delivery"
	"heliograph/jobs/args"
)

// countUsage keeps the usage of every organisation, by day and channel.
type countUsage struct {
	river.WorkerDefaults[args.CountUsage]
	deps Deps
}

func (w *countUsage) Timeout(*river.Job[args.CountUsage]) time.Duration { return 5 * time.Minute }

func (w *countUsage) Work(ctx context.Context, job *river.Job[args.CountUsage]) error {
	return once(ctx, w.deps.Pool, job, func(tx pgx.Tx) error { return delivery.CountUsage(ctx, tx, time.Now()) })
}
