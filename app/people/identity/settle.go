package identity

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/queries/errands"
	"heliograph/db/queries/people/writes"
	"heliograph/jobs/args"
)

// settleBatch is how many challenges are settled at once.
const settleBatch = 1000

// SettleCodes gives open challenges a job if theirs was lost before it made a
// code, and returns how many.
func SettleCodes(ctx context.Context, b db.Beginner, jobs args.Inserter) (queued int, err error) {
	err = db.InTx(ctx, b, func(tx pgx.Tx) error {
		if err := errands.SettleLock(ctx, tx); err != nil {
			return err
		}
		stranded, err := writes.OTPChallengeListStranded(ctx, tx, settleBatch)
		if queued = len(stranded); err != nil || queued == 0 {
			return err
		}
		send := make([]river.InsertManyParams, queued)
		for i, id := range stranded {
			send[i].Args = args.SendCode{ChallengeID: id}
		}
		_, err = jobs.InsertManyFastTx(ctx, tx, send)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("settling codes: %w", err)
	}
	return queued, nil
}
