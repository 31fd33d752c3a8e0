package channels

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/app/operation/metric"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/jobs/args"
)

// Settling gives what was accepted and lost its job a new one, or its end. A job may be
// lost because it was discarded, cancelled or deleted.
type Settling struct {
	DB       db.Beginner
	Channels pipeline.Channels
	Contacts *contact.Service
	Jobs     args.Inserter
	Signals  *db.Signals // tells open pages; may be nil
	Log      *slog.Logger
}

// Settle settles messages, callbacks, notifications, codes and enquiries. Each kind is
// settled on its own, and failures are joined.
func (s Settling) Settle(ctx context.Context, now time.Time) error {
	messages, err := s.Channels.Settle(ctx, s.DB, s.Jobs, now)
	for _, m := range messages.Ended {
		metric.Message(m.Channel, m.State, now.Sub(m.CreatedAt))
		s.Signals.Add("messages", m.OrganisationID)
	}
	callbacks, ended, relayErr := relay.Settle(ctx, s.DB, s.Jobs, now)
	notices, noticeErr := notification.Settle(ctx, s.DB, s.Jobs)
	codes, codeErr := identity.SettleCodes(ctx, s.DB, s.Jobs)
	contacts, contactErr := s.Contacts.Settle(ctx)
	if messages.Queued+len(messages.Ended)+callbacks+ended+notices+codes+contacts > 0 {
		s.Log.WarnContext(ctx, "work without a job was settled", "messages_queued", messages.Queued, "messages_ended", len(messages.Ended),
			"callbacks_queued", callbacks, "callbacks_ended", ended, "notifications_queued", notices, "codes_queued", codes, "enquiries_queued", contacts)
	}
	return errors.Join(err, relayErr, noticeErr, codeErr, contactErr)
}
