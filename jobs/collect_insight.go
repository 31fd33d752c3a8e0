package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/operation/insight"
	"heliograph/jobs/args"
)

// collectInsight counts what tables know that readers and partners did. What web
// processes serve they count themselves.
type collectInsight struct {
	river.WorkerDefaults[args.CollectInsight]
	deps Deps
}

func (w *collectInsight) Timeout(*river.Job[args.CollectInsight]) time.Duration {
	return 5 * time.Minute
}

func (w *collectInsight) Work(ctx context.Context, job *river.Job[args.CollectInsight]) error {
	return once(ctx, w.deps.Pool, job, func(tx pgx.Tx) error {
		return insight.Collect(ctx, tx, time.Now(), w.deps.Zone)
	})
}
