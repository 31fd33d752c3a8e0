package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/fault"
	"heliograph/jobs/args"
)

// importDocument reads an imported document in a process of its own.
type importDocument struct {
	river.WorkerDefaults[args.ImportDocument]
	deps Deps
}

// Timeout is longer than fetching and preparing a document take.
func (w *importDocument) Timeout(*river.Job[args.ImportDocument]) time.Duration {
	return 2*prepare.MaxTime + 30*time.Second
}

func (w *importDocument) Work(ctx context.Context, job *river.Job[args.ImportDocument]) error {
	err := w.deps.importing().Run(ctx, job.Args.ImportID, job.Attempt, completing(ctx, job))
	if fault.Is(err, fault.Unavailable) {
		return river.JobSnooze(storagePause) // so that it counts as no attempt
	}
	return err
}

// storagePause is how long a job waits for a storage that is away.
const storagePause = 10 * time.Second
