package mock

import (
	"context"

	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/queries/documentation/writes"
)

// Housekeeping lists the tasks that delete what callers of mocks left.
func Housekeeping(q db.Querier) []retention.Task {
	return []retention.Task{
		{What: "deleting callbacks of mocks", Do: func(ctx context.Context) error { return writes.MockCallbackDelete(ctx, q, keepCallbacks) }},
		{What: "deleting what callers of mocks created", Do: func(ctx context.Context) error { return writes.MockRecordDeleteExpired(ctx, q) }},
	}
}
