package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/upstream"
	"heliograph/jobs/args"
)

// checkUpstreams asks upstreams about the numbers and accounts that live there.
type checkUpstreams struct {
	river.WorkerDefaults[args.CheckUpstreams]
	upstreams *upstream.Upstreams
}

func (w *checkUpstreams) Work(ctx context.Context, _ *river.Job[args.CheckUpstreams]) error {
	return w.upstreams.Check(ctx)
}
