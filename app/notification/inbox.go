package notification

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// InboxPageSize is how many messages a page of the inbox holds.
const InboxPageSize = 20

// InboxQuery asks for a page of the inbox.
type InboxQuery struct {
	Kind      string // sms or email; empty is both
	Recipient string // a part of the number or address
	// Before is the id of the message that the page follows; zero begins with
	// the newest.
	Before uuid.UUID
}

// InboxMessage is a virtual message as its recipient would read it.
type InboxMessage struct {
	ID        uuid.UUID
	Kind      string
	Purpose   string
	Recipient string
	Subject   string
	Text      string // empty once it is forgotten
	Forgotten bool
	SentAt    time.Time
}

// Inbox returns virtual messages, the newest first, and whether older ones
// follow. Whoever reads them could be anybody who is registering, so that each
// view is recorded for actor.
func (s *Service) Inbox(ctx context.Context, q InboxQuery, actor string) (messages []InboxMessage, more bool, err error) {
	recipient := strings.ReplaceAll(strings.TrimSpace(q.Recipient), " ", "")
	var rows []models.Notification
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		rows, err = queries.NotificationListVirtual(ctx, tx, queries.VirtualPage{Kind: q.Kind, Recipient: recipient, Before: q.Before, Limit: InboxPageSize + 1})
		if err != nil {
			return fmt.Errorf("listing the inbox: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "inbox.read", Target: "inbox",
			Details: map[string]any{"kind": q.Kind, "recipient": q.Recipient, "messages": min(len(rows), InboxPageSize)},
		})
	})
	if err != nil {
		return nil, false, err
	}
	if more = len(rows) > InboxPageSize; more {
		rows = rows[:InboxPageSize]
	}
	for _, n := range rows {
		m, err := s.open(n)
		if err != nil {
			return nil, false, err
		}
		messages = append(messages, m)
	}
	return messages, more, nil
}

func (s *Service) open(n models.Notification) (InboxMessage, error) {
	m := InboxMessage{
		ID: n.ID, Kind: n.Kind, Purpose: n.Purpose, Recipient: n.Recipient, Subject: n.Subject,
		Forgotten: n.Body == nil, SentAt: n.CreatedAt,
	}
	if m.Forgotten {
		return m, nil
	}
	text, err := s.Keyring.Open(n.Body, bodyPlace(n.ID))
	if err != nil {
		return m, fmt.Errorf("opening message %s: %w", n.ID, err)
	}
	m.Text = string(text)
	return m, nil
}
