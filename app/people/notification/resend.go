package notification

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/queries/people/writes"
)

// Resend sends an email again that its provider rejected, and returns the id of the
// new message. The text of such an email is kept for a day and sent as long as it
// has not expired. Others are a Conflict, and codes as well: the recipient requests a
// new one.
func (s *Service) Resend(ctx context.Context, id uuid.UUID, actor string) (again uuid.UUID, err error) {
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		n, err := writes.NotificationLock(ctx, tx, id)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This message does not exist."), "reading message %s", id)
		}
		if n.Kind != "email" || n.State != failed || n.Body == nil || !n.ExpiresAt.After(time.Now()) {
			return fault.New(fault.Conflict, "This message cannot be sent again. Only rejected emails can, within a day and before they expire.")
		}
		c, err := s.open(n)
		if err != nil {
			return err
		}
		if again, err = s.queue(ctx, tx, n, c); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "notification.resend", Target: "notification:" + id.String(),
			Details: map[string]any{"purpose": n.Purpose, "to": n.Recipient},
		})
	})
	return again, err
}
