package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging"
	"heliograph/db"
	"heliograph/jobs/args"
)

// reviewTemplate reviews a message template.
type reviewTemplate struct {
	river.WorkerDefaults[args.ReviewTemplate]
	deps Deps
}

func (w *reviewTemplate) Work(ctx context.Context, job *river.Job[args.ReviewTemplate]) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := messaging.ReviewTemplate(ctx, tx, client, w.deps.Product, job.Args); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}
