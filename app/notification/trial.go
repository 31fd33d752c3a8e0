package notification

import (
	"context"
	"fmt"
	"net/mail"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Try sends a message that says nothing, by the settings as they are, while the
// caller waits, and returns the message's id; its one attempt has what the
// provider answered. actor is who does it, for the audit. A recipient that must
// change is an Invalid fault at the field "to". Trials do not count for the
// budget.
func (s *Service) Try(ctx context.Context, kind, to, actor string) (uuid.UUID, error) {
	s = New(s.Options)
	s.Settings = s.Settings.Saved()
	to, err := s.recipient(ctx, kind, to)
	if err != nil {
		return uuid.Nil, err
	}
	n := models.Notification{Kind: kind, Purpose: "test", Recipient: to, ExpiresAt: time.Now().Add(time.Minute)}
	text := smsText("000000", 10*time.Minute)
	if kind == models.KindEmail {
		n.Subject = "Test of the email settings"
		text = "This letter tests the email settings of Heliograph. It asks for nothing.\n"
	}
	s.seal(&n, text)
	d, err := s.dispatch(ctx, s.Settings, n)
	if err != nil {
		return uuid.Nil, err
	}
	a := s.Courier.Deliver(ctx, *d)
	// Whatever came of it, it is not tried again; what it says is no secret.
	d.ExpiresAt, d.Text = time.Now(), ""
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		if err := queries.NotificationInsert(ctx, tx, n); err != nil {
			return fmt.Errorf("storing a test: %w", err)
		}
		if _, err := s.End(ctx, tx, *d, a); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "setting.test", Target: "setting:" + kind,
			Details: map[string]any{"to": to, "provider": a.Provider, "outcome": a.Outcome},
		})
	})
	return n.ID, err
}

// recipient reads who a trial goes to.
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
