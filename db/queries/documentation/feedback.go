package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// FeedbackCountList counts the answers about each page. Pages that helped the
// fewest readers come first.
func FeedbackCountList(ctx context.Context, q db.Querier, limit int) ([]models.FeedbackCount, error) {
	return collect.Many[models.FeedbackCount](ctx, q, `
		select page, (count(*) filter (where helpful))::int as helpful, (count(*) filter (where not helpful))::int as not_helpful, max(created_at) as newest
		from feedback group by page order by not_helpful desc, helpful, page limit $1`, limit)
}

// FeedbackListCommented returns the newest answers with a comment.
func FeedbackListCommented(ctx context.Context, q db.Querier, limit int) ([]models.Feedback, error) {
	return collect.Many[models.Feedback](ctx, q, `
		select page, helpful, comment, created_at from feedback where comment <> '' order by created_at desc, id desc limit $1`, limit)
}
