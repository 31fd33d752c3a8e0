package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/relay"
	"heliograph/app/people/notification"
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
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	mail := notification.New(notification.Options{DB: w.deps.Pool, Keyring: w.deps.Keyring, Settings: w.deps.Settings, Jobs: client})
	_, err = relay.Notifier{Mail: mail, PublicURL: w.deps.PublicURL}.TellStranded(ctx, w.deps.Pool)
	return err
}
