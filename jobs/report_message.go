package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/jobs/args"
)

// reportMessage moves a message to the next state that its carrier announced.
type reportMessage struct {
	river.WorkerDefaults[args.ReportMessage]
	engine *carry.Engine
}

func (w *reportMessage) Work(ctx context.Context, job *river.Job[args.ReportMessage]) error {
	return w.engine.Report(ctx, runOf(ctx, job), job.Args)
}
