package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/upstream"
	"heliograph/jobs/args"
)

// pushTemplate brings an upstream to what a template of ours is.
type pushTemplate struct {
	river.WorkerDefaults[args.PushTemplate]
	templates *upstream.Templates
}

func (w *pushTemplate) Work(ctx context.Context, job *river.Job[args.PushTemplate]) error {
	return w.templates.Push(ctx, runOf(ctx, job), job.Args)
}
