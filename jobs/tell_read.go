package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/upstream"
	"heliograph/jobs/args"
)

// tellRead tells the carrier of a received message that it was read.
type tellRead struct {
	river.WorkerDefaults[args.TellRead]
	upstreams *upstream.Upstreams
}

func (w *tellRead) Work(ctx context.Context, job *river.Job[args.TellRead]) error {
	return w.upstreams.TellRead(ctx, runOf(ctx, job), job.Args)
}
