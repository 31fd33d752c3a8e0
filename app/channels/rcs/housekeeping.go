package rcs

import (
	"context"

	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/queries/channels/writes"
)

// Housekeeping lists the tasks that delete what the channel no longer needs.
func Housekeeping(q db.Querier) []retention.Task {
	return []retention.Task{
		{What: "deleting message ids of RCS", Do: func(ctx context.Context) error { return writes.RCSMessageIDDelete(ctx, q, keepStatus) }},
		{What: "deleting events of RCS carriers", Do: func(ctx context.Context) error { return writes.RCSCarrierEventDelete(ctx, q, keepCarrierEvents) }},
	}
}
