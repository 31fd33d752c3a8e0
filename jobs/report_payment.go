package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/jobs/args"
)

// reportPayment moves the payment of an order on.
type reportPayment struct {
	river.WorkerDefaults[args.ReportPayment]
	engine *carry.Engine
}

func (w *reportPayment) Work(ctx context.Context, job *river.Job[args.ReportPayment]) error {
	return w.engine.ReportPayment(ctx, runOf(ctx, job), job.Args)
}
