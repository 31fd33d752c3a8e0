package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging/templates"
	"heliograph/jobs/args"
)

// reviewTemplate reviews a message template.
type reviewTemplate struct {
	river.WorkerDefaults[args.ReviewTemplate]
	deps Deps
}

func (w *reviewTemplate) Work(ctx context.Context, job *river.Job[args.ReviewTemplate]) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	return once(ctx, w.deps.Pool, job, func(tx pgx.Tx) error {
		return templates.Review(ctx, tx, client, w.deps.Product, job.Args)
	})
}
