package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/jobs/args"
)

// carryMessage hands an accepted message to its carrier.
type carryMessage struct {
	river.WorkerDefaults[args.CarryMessage]
	engine *carry.Engine
}

func (w *carryMessage) Work(ctx context.Context, job *river.Job[args.CarryMessage]) error {
	return w.engine.Carry(ctx, runOf(ctx, job), job.Args)
}
