package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

const (
	// What is younger may not be committed yet; pages count it themselves.
	usageDelay = time.Minute
	// For how many days back states are counted again: the last attempts to
	// deliver are over by then.
	usageAgain = 2
)

// countUsage keeps the usage of every organisation, by day and channel.
type countUsage struct {
	river.WorkerDefaults[args.CountUsage]
	deps Deps
}

func (w *countUsage) Timeout(*river.Job[args.CountUsage]) time.Duration { return 5 * time.Minute }

func (w *countUsage) Work(ctx context.Context, job *river.Job[args.CountUsage]) error {
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := writes.UsageCount(ctx, tx, time.Now().Add(-usageDelay), usageAgain); err != nil {
			return fmt.Errorf("counting usage: %w", err)
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}
