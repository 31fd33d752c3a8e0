package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/jobs/args"
)

// carryAgain puts a message off that its carrier gave up before an operator had it.
type carryAgain struct {
	river.WorkerDefaults[args.CarryAgain]
	engine *carry.Engine
}

func (w *carryAgain) Work(ctx context.Context, job *river.Job[args.CarryAgain]) error {
	return w.engine.CarryAgain(ctx, runOf(ctx, job), job.Args)
}
