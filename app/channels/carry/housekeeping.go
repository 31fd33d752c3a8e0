package carry

import (
	"context"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/queries/channels/writes"
)

const (
	keepCarrierMinutes = 2 * 24 * time.Hour // how long the counts of carriers can be read
	keepCarrierIDs     = 8 * 24 * time.Hour // how long a carrier can report a message by its own id
)

// Housekeeping lists the tasks that delete what hand-overs no longer need.
func Housekeeping(q db.Querier) []retention.Task {
	return []retention.Task{
		{What: "deleting old counts of carriers", Do: func(ctx context.Context) error { return writes.CarrierMinuteDelete(ctx, q, keepCarrierMinutes) }},
		{What: "deleting ids of carriers", Do: func(ctx context.Context) error {
			return writes.CarrierIDDelete(ctx, q, keepCarrierIDs, messaging.KeepUpstreamIDs)
		}},
	}
}
