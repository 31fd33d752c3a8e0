package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels"
	"heliograph/jobs/args"
)

// settleWork gives what was accepted and lost its job a new one, or its end.
type settleWork struct {
	river.WorkerDefaults[args.SettleWork]
	deps Deps
	log  *slog.Logger
}

// Timeout leaves time for a first look at millions of messages; what is not
// done within it goes on a minute later.
func (w *settleWork) Timeout(*river.Job[args.SettleWork]) time.Duration { return 5 * time.Minute }

func (w *settleWork) Work(ctx context.Context, _ *river.Job[args.SettleWork]) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	d := w.deps
	settling := channels.Settling{DB: d.Pool, Channels: d.Channels, Contacts: d.contacts(client), Jobs: client, Signals: d.Signals, Log: w.log}
	return settling.Settle(ctx, time.Now())
}
