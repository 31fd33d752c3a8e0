package notification

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/errands"
	"heliograph/db/queries/people/writes"
	"heliograph/jobs/args"
)

// settleBatch is how many messages one transaction settles.
const settleBatch = 1000

// Settle ends queued messages that have expired and gives the others a job if
// theirs was lost. It returns how many got one.
func Settle(ctx context.Context, b db.Beginner, jobs args.Inserter) (queued int, err error) {
	if err := writes.NotificationUpdateExpired(ctx, b); err != nil {
		return 0, fmt.Errorf("ending expired messages: %w", err)
	}
	for n := settleBatch; n == settleBatch; {
		err := db.InTx(ctx, b, func(tx pgx.Tx) error {
			if err := errands.SettleLock(ctx, tx); err != nil {
				return err
			}
			stranded, err := writes.NotificationListStranded(ctx, tx, settleBatch)
			if n = len(stranded); err != nil || n == 0 {
				return err
			}
			send := make([]river.InsertManyParams, n)
			for i, m := range stranded {
				send[i].Args = args.SendSMS{NotificationID: m.ID}
				if m.Kind == models.KindEmail {
					send[i].Args = args.SendEmail{NotificationID: m.ID}
				}
			}
			queued += n
			_, err = jobs.InsertManyFastTx(ctx, tx, send)
			return err
		})
		if err != nil {
			return queued, fmt.Errorf("settling messages: %w", err)
		}
	}
	return queued, nil
}
