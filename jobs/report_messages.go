package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/jobs/args"
)

// reportMessages moves messages to the next state that their carrier announced.
type reportMessages struct {
	river.WorkerDefaults[args.ReportMessages]
	engine *carry.Engine
}

func (w *reportMessages) Work(ctx context.Context, job *river.Job[args.ReportMessages]) error {
	return w.engine.ReportMany(ctx, runOf(ctx, job), job.Args)
}
