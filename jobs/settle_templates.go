package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging/templates"
	"heliograph/jobs/args"
)

// settleTemplates ends the pauses and deletions of message templates that are
// due, each template in its own transaction.
type settleTemplates struct {
	river.WorkerDefaults[args.SettleTemplates]
	deps Deps
}

func (w *settleTemplates) Work(ctx context.Context, _ *river.Job[args.SettleTemplates]) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	return templates.Settle(ctx, w.deps.Pool, client, w.deps.Product)
}
