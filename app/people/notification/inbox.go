package notification

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// InboxPageSize is the number of messages on a page of the inbox.
const InboxPageSize = 20

// InboxQuery selects a page of the inbox.
type InboxQuery struct {
	Kind      string // sms or email; empty is both
	Recipient string // a part of the number or address
	// Before is the id of the last message of the previous page. The zero id
	// starts with the newest.
	Before uuid.UUID
	// Pages is the number of pages to return at once; zero is one page.
	Pages int
}

// InboxMessage is a virtual message as its recipient would see it.
type InboxMessage struct {
	ID        uuid.UUID
	Kind      string
	Purpose   string
	Recipient string
	Subject   string
	Text      string // empty after it was deleted
	HTML      string // of an email; the HTML part as a document
	Forgotten bool
	SentAt    time.Time
}

// Inbox returns virtual messages, the newest first, and whether there are older
// ones. With the codes in them actor could pose as the recipients, so each
// message that actor reads for the first time is recorded in the audit.
func (s *Service) Inbox(ctx context.Context, q InboxQuery, actor string) (messages []InboxMessage, more bool, err error) {
	recipient := strings.ReplaceAll(strings.TrimSpace(q.Recipient), " ", "")
	var rows []models.Notification
	limit := InboxPageSize * max(1, q.Pages)
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		rows, err = queries.NotificationListVirtual(ctx, tx, queries.VirtualPage{Kind: q.Kind, Recipient: recipient, Before: q.Before, Limit: limit + 1})
		if err != nil {
			return fmt.Errorf("listing the inbox: %w", err)
		}
		if more = len(rows) > limit; more {
			rows = rows[:limit]
		}
		return recordReading(ctx, tx, actor, rows)
	})
	if err != nil {
		return nil, false, err
	}
	for _, n := range rows {
		m, err := s.openMessage(n)
		if err != nil {
			return nil, false, err
		}
		messages = append(messages, m)
	}
	return messages, more, nil
}

// InboxHTML returns the HTML part of a virtual email and records, like Inbox, that
// actor read it. An email without one is NotFound.
func (s *Service) InboxHTML(ctx context.Context, id uuid.UUID, actor string) (html string, err error) {
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		n, err := writes.NotificationLock(ctx, tx, id)
		if db.IsNoRows(err) || err == nil && (!n.Virtual || n.HTML == nil) {
			return fault.New(fault.NotFound, "This email is no longer available.")
		}
		if err != nil {
			return fmt.Errorf("reading message %s: %w", id, err)
		}
		if err := recordReading(ctx, tx, actor, []models.Notification{n}); err != nil {
			return err
		}
		c, err := s.open(n)
		html = c.html
		return err
	})
	return html, err
}

// recordReading records the messages that actor reads for the first time. Messages
// without text are not recorded.
func recordReading(ctx context.Context, tx pgx.Tx, actor string, rows []models.Notification) error {
	var ids []uuid.UUID
	for _, n := range rows {
		if n.Body != nil {
			ids = append(ids, n.ID)
		}
	}
	fresh, err := writes.NotificationReadInsert(ctx, tx, actor, ids)
	if err != nil {
		return fmt.Errorf("recording who read the inbox: %w", err)
	}
	var read []string
	for _, n := range rows {
		if slices.Contains(fresh, n.ID) {
			read = append(read, fmt.Sprintf("%s to %s, %s, %s", n.Kind, n.Recipient, n.Purpose, n.CreatedAt.UTC().Format(time.RFC3339)))
		}
	}
	if len(read) == 0 {
		return nil
	}
	return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "inbox.read", Target: "inbox", Details: map[string]any{"messages": read}})
}

func (s *Service) openMessage(n models.Notification) (InboxMessage, error) {
	m := InboxMessage{
		ID: n.ID, Kind: n.Kind, Purpose: n.Purpose, Recipient: n.Recipient, Subject: n.Subject,
		Forgotten: n.Body == nil, SentAt: n.CreatedAt,
	}
	if m.Forgotten {
		return m, nil
	}
	c, err := s.open(n)
	m.Text, m.HTML = c.text, c.html
	return m, err
}
