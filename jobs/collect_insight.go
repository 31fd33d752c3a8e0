package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/operation/insight"
	"heliograph/db"
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
	zone := w.deps.Zone
	if zone == nil {
		zone = time.UTC
	}
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := insight.Collect(ctx, tx, time.Now(), zone); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}
