package pipeline

import (
	"context"
	"time"

	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/queries/channels/writes"
)

// keepReplies is how long the reply to an Idempotency-Key is repeated.
const keepReplies = 72 * time.Hour

// Housekeeping lists the tasks that delete what all channels no longer need.
func Housekeeping(q db.Querier) []retention.Task {
	return []retention.Task{
		{What: "deleting idempotency keys", Do: func(ctx context.Context) error {
			_, err := writes.IdempotencyDelete(ctx, q, keepReplies)
			return err
		}},
		{What: "deleting parked messages that have moved", Do: func(ctx context.Context) error { return writes.ParkedSweep(ctx, q) }},
	}
}
