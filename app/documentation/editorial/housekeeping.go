package editorial

import (
	"context"
	"fmt"
	"time"

	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/queries/documentation/writes"
)

// keepPreviewLinks is how long an expired preview link stays in the list of its item.
const keepPreviewLinks = 30 * 24 * time.Hour

// Housekeeping lists the tasks that delete what editors no longer need.
func Housekeeping(q db.Querier) []retention.Task {
	return []retention.Task{
		{What: "deleting preview links", Do: func(ctx context.Context) error { return writes.PreviewLinkDelete(ctx, q, keepPreviewLinks) }},
		{What: "dropping steps of undo", Do: func(ctx context.Context) error { return dropSteps(ctx, q, time.Now()) }},
	}
}

// dropSteps deletes the steps of typing that a later save of the same form stands
// for.
func dropSteps(ctx context.Context, q db.Querier, now time.Time) error {
	if _, err := writes.RevisionDeleteReplaced(ctx, q, now.Add(-keptSteps)); err != nil {
		return fmt.Errorf("deleting the steps of drafts: %w", err)
	}
	return nil
}
