package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/jobs/args"
)

// expireMessage fails a message that was not delivered within its time to live.
type expireMessage struct {
	river.WorkerDefaults[args.ExpireMessage]
	engine *carry.Engine
}

func (w *expireMessage) Work(ctx context.Context, job *river.Job[args.ExpireMessage]) error {
	return w.engine.Expire(ctx, runOf(ctx, job), job.Args)
}
