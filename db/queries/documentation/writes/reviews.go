package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ReviewInsert adds what somebody said of a change set.
func ReviewInsert(ctx context.Context, q db.Querier, changeSetID int64, r models.Review) error {
	return collect.Execute(ctx, q, `insert into reviews (change_set_id, reviewer_id, verdict, reason, content_hash) values ($1, nullif($2::bigint, 0), $3, $4, $5)`,
		changeSetID, r.ReviewerID, r.Verdict, r.Reason, r.ContentHash)
}
