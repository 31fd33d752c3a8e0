package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// ReviewInsert adds what somebody said of a change set.
func ReviewInsert(ctx context.Context, q db.Querier, changeSetID int64, r models.Review) error {
	_, err := q.Exec(ctx, `insert into reviews (change_set_id, reviewer_id, verdict, reason, content_hash) values ($1, nullif($2::bigint, 0), $3, $4, $5)`,
		changeSetID, r.ReviewerID, r.Verdict, r.Reason, r.ContentHash)
	return err
}

// ReviewList returns what was said of a change set, the oldest first.
func ReviewList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.Review, error) {
	return many[models.Review](ctx, q, `
		select r.id, coalesce(r.reviewer_id, 0) as reviewer_id, coalesce(nullif(u.name, ''), u.email, 'Practice reviewer') as reviewer_name, r.verdict, r.reason, r.content_hash, r.created_at
		from reviews r left join admin_users u on u.id = r.reviewer_id where r.change_set_id = $1 order by r.id`, changeSetID)
}
