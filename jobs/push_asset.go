package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels/upstream"
	"heliograph/jobs/args"
)

// pushAsset brings an upstream to what a number or a catalogue of ours has.
type pushAsset struct {
	river.WorkerDefaults[args.PushAsset]
	assets *upstream.Assets
}

// Timeout leaves time for many products.
func (w *pushAsset) Timeout(*river.Job[args.PushAsset]) time.Duration { return 3 * time.Minute }

func (w *pushAsset) Work(ctx context.Context, job *river.Job[args.PushAsset]) error {
	return w.assets.Push(ctx, runOf(ctx, job), job.Args)
}
