package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ReviewList returns what was said of a change set, the oldest first.
func ReviewList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.Review, error) {
	return collect.Many[models.Review](ctx, q, `
		select r.id, coalesce(r.reviewer_id, 0) as reviewer_id, coalesce(nullif(u.name, ''), u.email, 'Practice reviewer') as reviewer_name, r.verdict, r.reason, r.content_hash, r.created_at
		from reviews r left join admin_users u on u.id = r.reviewer_id where r.change_set_id = $1 order by r.id`, changeSetID)
}
