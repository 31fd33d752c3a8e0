package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/relay"
	"heliograph/db"
	"heliograph/jobs/args"
)

// releaseCallbacks moves the line of a failing webhook on, one step in each run.
type releaseCallbacks struct {
	river.WorkerDefaults[args.ReleaseCallbacks]
	deps Deps
}

func (w *releaseCallbacks) Work(ctx context.Context, job *river.Job[args.ReleaseCallbacks]) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	var next time.Duration
	err = db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if next, err = relay.Release(ctx, tx, client, job.Args.WebhookID); err != nil || next > 0 {
			return err
		}
		return completing(ctx, job)(tx)
	})
	return orAgain(next, err)
}
