package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/relay"
	"heliograph/app/operation/metric"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/jobs/args"
)

// settleWork gives what was accepted and lost its job a new one, or its end. A
// job may be lost because it was discarded, cancelled or deleted.
type settleWork struct {
	river.WorkerDefaults[args.SettleWork]
	deps Deps
	log  *slog.Logger
}

// Timeout leaves time for a first look at millions of messages; what is not
// done within it goes on a minute later.
func (w *settleWork) Timeout(*river.Job[args.SettleWork]) time.Duration { return 5 * time.Minute }

func (w *settleWork) Work(ctx context.Context, _ *river.Job[args.SettleWork]) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	now := time.Now()
	messages, err := w.deps.Channels.Settle(ctx, w.deps.Pool, client, now)
	for _, m := range messages.Ended {
		metric.Message(m.Channel, m.State, now.Sub(m.CreatedAt))
		w.deps.Signals.Add("messages", m.OrganisationID)
	}
	callbacks, ended, relayErr := relay.Settle(ctx, w.deps.Pool, client, now)
	notices, noticeErr := notification.Settle(ctx, w.deps.Pool, client)
	codes, codeErr := identity.SettleCodes(ctx, w.deps.Pool, client)
	service, contactErr := newContact(ctx, w.deps)
	contacts := 0
	if contactErr == nil {
		contacts, contactErr = service.Settle(ctx)
	}
	if messages.Queued+len(messages.Ended)+callbacks+ended+notices+codes+contacts > 0 {
		w.log.WarnContext(ctx, "work without a job was settled", "messages_queued", messages.Queued, "messages_ended", len(messages.Ended),
			"callbacks_queued", callbacks, "callbacks_ended", ended, "notifications_queued", notices, "codes_queued", codes, "enquiries_queued", contacts)
	}
	return errors.Join(err, relayErr, noticeErr, codeErr, contactErr)
}
