package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels/upstream"
	"heliograph/jobs/args"
)

// takePost reads what a carrier of the messaging channel has posted.
type takePost struct {
	river.WorkerDefaults[args.TakePost]
	upstreams *upstream.Upstreams
}

// Timeout leaves time for the files of messages. Without files it is the usual one, so
// that another worker soon reads the post of one that died.
func (w *takePost) Timeout(job *river.Job[args.TakePost]) time.Duration {
	if !job.Args.Files {
		return 0
	}
	return 3 * time.Minute
}

func (w *takePost) Work(ctx context.Context, job *river.Job[args.TakePost]) error {
	return w.upstreams.TakePost(ctx, runOf(ctx, job), job.Args)
}
