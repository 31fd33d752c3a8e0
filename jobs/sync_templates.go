package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/upstream"
	"heliograph/jobs/args"
)

// syncTemplates reads the templates of all accounts that live at upstreams.
type syncTemplates struct {
	river.WorkerDefaults[args.SyncTemplates]
	templates *upstream.Templates
}

func (w *syncTemplates) Work(ctx context.Context, job *river.Job[args.SyncTemplates]) error {
	return w.templates.Sync(ctx, runOf(ctx, job))
}
