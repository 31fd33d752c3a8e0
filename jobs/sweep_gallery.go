package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/documentation/media"
	"heliograph/jobs/args"
)

// sweepGallery deletes what has been in the trash of the gallery for too long.
type sweepGallery struct {
	river.WorkerDefaults[args.SweepGallery]
	deps Deps
}

func (w *sweepGallery) Timeout(*river.Job[args.SweepGallery]) time.Duration { return time.Minute }

func (w *sweepGallery) Work(ctx context.Context, _ *river.Job[args.SweepGallery]) error {
	return media.New(media.Options{DB: w.deps.Pool, Store: w.deps.Store}).Sweep(ctx, time.Now())
}
