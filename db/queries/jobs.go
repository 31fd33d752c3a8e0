package queries

import (
	"context"

	"heliograph/db"
)

// JobUpdateCompleted ends jobs that are being worked, as river.JobCompleteTx
// does one of them: in the transaction of their effect. A job that was given
// to another worker meanwhile is left to that one.
func JobUpdateCompleted(ctx context.Context, q db.Querier, ids []int64) error {
	_, err := q.Exec(ctx, `update river.river_job set state = 'completed', finalized_at = now() where id = any($1) and state = 'running'`, ids)
	return err
}
