package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// settleBatch is how many callbacks one transaction settles.
const settleBatch = 1000

// Settle gives pending callbacks that lost their job a new one, and the lines of
// webhooks the job that moves them on. Callbacks that have been due for as long as an endpoint
// may fail are given up. It returns the numbers of both.
func Settle(ctx context.Context, b db.Beginner, jobs args.Inserter, now time.Time) (queued, ended int, err error) {
	for n := settleBatch; n == settleBatch; {
		err := db.InTx(ctx, b, func(tx pgx.Tx) error {
			if err := errands.SettleLock(ctx, tx); err != nil {
				return err
			}
			stranded, err := writes.DeliveryListStranded(ctx, tx, now.Add(-maxFailing), settleBatch)
			if err != nil {
				return err
			}
			var post []river.InsertManyParams
			var over []int64
			for _, d := range stranded {
				if d.Over {
					over = append(over, d.ID)
				} else {
					post = append(post, river.InsertManyParams{Args: args.RelayCallback{DeliveryID: d.ID}})
				}
			}
			n = len(stranded)
			queued, ended = queued+len(post), ended+len(over)
			if err := writes.DeliveryUpdateFailed(ctx, tx, over...); err != nil || len(post) == 0 {
				return err
			}
			_, err = jobs.InsertManyFastTx(ctx, tx, post)
			return err
		})
		if err != nil {
			return queued, ended, fmt.Errorf("settling callbacks: %w", err)
		}
	}
	return queued, ended, settleLines(ctx, b, jobs)
}
