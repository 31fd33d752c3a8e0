package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// FeedbackSave stores what a reader says about a page. It replaces what the same
// reader said before.
func FeedbackSave(ctx context.Context, q db.Querier, f models.Feedback, reader []byte) error {
	_, err := q.Exec(ctx, `
		insert into feedback (page, helpful, comment, reader) values ($1, $2, $3, $4)
		on conflict (page, reader) do update set helpful = excluded.helpful, comment = excluded.comment, created_at = now()`,
		f.Page, f.Helpful, f.Comment, reader)
	return err
}

// FeedbackCountList counts the answers about each page. Pages that helped the
// fewest readers come first.
func FeedbackCountList(ctx context.Context, q db.Querier, limit int) ([]models.FeedbackCount, error) {
	return many[models.FeedbackCount](ctx, q, `
		select page, (count(*) filter (where helpful))::int as helpful, (count(*) filter (where not helpful))::int as not_helpful, max(created_at) as newest
		from feedback group by page order by not_helpful desc, helpful, page limit $1`, limit)
}

// FeedbackListCommented returns the newest answers with a comment.
func FeedbackListCommented(ctx context.Context, q db.Querier, limit int) ([]models.Feedback, error) {
	return many[models.Feedback](ctx, q, `
		select page, helpful, comment, created_at from feedback where comment <> '' order by created_at desc, id desc limit $1`, limit)
}

// FeedbackDelete deletes what was said longer ago than keep.
func FeedbackDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	_, err := q.Exec(ctx, `delete from feedback where created_at < now() - $1::interval`, keep)
	return err
}
