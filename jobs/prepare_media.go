package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/jobs/args"
)

const (
	// prepareTimeout is how long the sizes of one image may take.
	prepareTimeout = 25 * time.Second
	// prepareAttempts is how often they are tried. An image that ends its worker each
	// time is refused then.
	prepareAttempts = 4
	// storagePause is how long a job waits for a storage that is away.
	storagePause = 10 * time.Second
)

// prepareMedia makes the sizes of an image of the gallery.
type prepareMedia struct {
	river.WorkerDefaults[args.PrepareMedia]
	deps Deps
}

func (w *prepareMedia) Timeout(*river.Job[args.PrepareMedia]) time.Duration { return prepareTimeout }

func (w *prepareMedia) Work(ctx context.Context, job *river.Job[args.PrepareMedia]) error {
	library := media.New(media.Options{DB: w.deps.Pool, Store: w.deps.Store})
	finish := func(tx pgx.Tx) error {
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	}
	if job.Attempt > prepareAttempts {
		return library.Refuse(ctx, job.Args.FileID, "The sizes of the image could not be made in time. Export it again, or use a smaller one.", finish)
	}
	err := library.Prepare(ctx, job.Args.FileID, finish)
	if fault.Is(err, fault.Unavailable) {
		return river.JobSnooze(storagePause)
	}
	return err
}
