package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/people/notification"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/queries/channels/writes"
	"heliograph/views/email"
)

// strandedAfter is how long a new number may be without a carrier before its owners
// get an email, so that the operator can add a route first.
const strandedAfter = time.Hour

// TellStranded tells the active owners of live organisations which of their numbers
// have no carrier, so that messages from there are refused. It tells once for each
// number, and again if the number had a carrier in between. It returns how many
// emails it has queued.
func (l Notifier) TellStranded(ctx context.Context, b db.Beginner) (queued int, err error) {
	err = db.InTx(ctx, b, func(tx pgx.Tx) error {
		stranded, err := writes.NumberNoticeClaim(ctx, tx, time.Now().Add(-strandedAfter))
		if err != nil {
			return fmt.Errorf("finding numbers without a carrier: %w", err)
		}
		numbers := map[int64][]string{}
		for _, n := range stranded {
			numbers[n.OrganisationID] = append(numbers[n.OrganisationID], phone.Format(n.Number))
		}
		for organisation, list := range numbers {
			told, err := notification.TellOwners(ctx, tx, l.Mail, organisation, notification.Email{
				Purpose: "numbers_stranded", Topic: fmt.Sprintf("numbers_stranded:%d", stranded[0].ID), ExpiresAt: time.Now().Add(emailLife),
				Message: email.NumbersStranded(list, l.PublicURL+"/contact-us"),
			})
			if err != nil {
				return err
			}
			queued += told
		}
		return nil
	})
	return queued, err
}
