package notification

import (
	"context"
	"fmt"
	"net/mail"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/theme"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
	"heliograph/views/email"
)

// SendTest sends a test message with the current settings and waits for the
// result. It returns the id of the message. Its only attempt contains the
// provider's response. actor is recorded in the audit. An invalid recipient is
// Invalid at the field "to". Tests are not charged to the budget.
func (s *Service) SendTest(ctx context.Context, kind, to, actor string) (uuid.UUID, error) {
	s = New(s.Options)
	s.Settings = s.Settings.Saved()
	to, err := s.recipient(ctx, kind, to)
	if err != nil {
		return uuid.Nil, err
	}
	n := models.Notification{Kind: kind, Purpose: "test", Recipient: to, ExpiresAt: time.Now().Add(time.Minute)}
	c := content{text: smsText("000000", 10*time.Minute)}
	if kind == models.KindEmail {
		name, err := theme.Name(ctx, s.DB)
		if err != nil {
			return uuid.Nil, err
		}
		m := email.Test().For(name)
		n.Subject, c.text = m.Subject, m.Text()
		if c.html, err = m.HTML(ctx); err != nil {
			return uuid.Nil, err
		}
	}
	s.seal(&n, c)
	d, err := s.dispatch(ctx, s.Settings, n)
	if err != nil {
		return uuid.Nil, err
	}
	a := s.Courier.Deliver(ctx, *d)
	// A test is never retried, and its text is no secret.
	d.ExpiresAt, d.Text = time.Now(), ""
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		if err := writes.NotificationInsert(ctx, tx, n); err != nil {
			return fmt.Errorf("storing a test: %w", err)
		}
		if _, err := s.end(ctx, tx, *d, a); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "setting.test", Target: "setting:" + kind,
			Details: map[string]any{"to": to, "provider": a.Provider, "outcome": a.Outcome},
		})
	})
	return n.ID, err
}

// recipient validates the recipient of a test.
func (s *Service) recipient(ctx context.Context, kind, to string) (string, error) {
	problem := ""
	if kind == models.KindSMS {
		to, problem = phone.Parse(to, "")
	} else if a, err := mail.ParseAddress(to); err != nil {
		problem = "Enter an email address such as asha@example.com."
	} else {
		to = a.Address
	}
	if problem != "" {
		return "", fault.InvalidFields(fault.Field{Name: "to", Message: problem})
	}
	if kind == models.KindEmail {
		return to, nil
	}
	err := s.Settings.PhoneAllowed(ctx, to)
	if fault.Is(err, fault.Invalid) {
		return "", fault.InvalidFields(fault.Field{Name: "to", Message: fault.As(err).Message})
	}
	return to, err
}
