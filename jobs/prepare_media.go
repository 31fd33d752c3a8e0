package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/jobs/args"
)

// prepareMedia makes the sizes of an image of the gallery.
type prepareMedia struct {
	river.WorkerDefaults[args.PrepareMedia]
	deps Deps
}

// Timeout is how long the sizes of one image may take.
func (w *prepareMedia) Timeout(*river.Job[args.PrepareMedia]) time.Duration { return 25 * time.Second }

func (w *prepareMedia) Work(ctx context.Context, job *river.Job[args.PrepareMedia]) error {
	library := media.New(media.Options{DB: w.deps.Pool, Store: w.deps.Store})
	err := library.Prepare(ctx, job.Args.FileID, job.Attempt, completing(ctx, job))
	if fault.Is(err, fault.Unavailable) {
		return river.JobSnooze(storagePause)
	}
	return err
}
