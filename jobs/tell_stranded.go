package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/channels/relay"
	"heliograph/jobs/args"
)

// tellStranded tells owners of live numbers that no carrier is set up for.
type tellStranded struct {
	river.WorkerDefaults[args.TellStranded]
	deps Deps
}

func (w *tellStranded) Work(ctx context.Context, _ *river.Job[args.TellStranded]) error {
	if w.deps.Routes == nil {
		return nil // every number has the carrier of this process
	}
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	_, err = relay.Notifier{Mail: w.deps.notifications(client), PublicURL: w.deps.PublicURL}.TellStranded(ctx, w.deps.Pool)
	return err
}
