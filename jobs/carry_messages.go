package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/jobs/args"
)

// carryMessages hands messages over that were accepted together.
type carryMessages struct {
	river.WorkerDefaults[args.CarryMessages]
	engine *carry.Engine
}

func (w *carryMessages) Work(ctx context.Context, job *river.Job[args.CarryMessages]) error {
	return w.engine.CarryMany(ctx, runOf(ctx, job), job.Args)
}
