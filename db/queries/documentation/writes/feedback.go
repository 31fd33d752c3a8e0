package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// FeedbackSave stores what a reader says about a page. It replaces what the same
// reader said before.
func FeedbackSave(ctx context.Context, q db.Querier, f models.Feedback, reader []byte) error {
	return collect.Execute(ctx, q, `
		insert into feedback (page, helpful, comment, reader) values ($1, $2, $3, $4)
		on conflict (page, reader) do update set helpful = excluded.helpful, comment = excluded.comment, created_at = now()`,
		f.Page, f.Helpful, f.Comment, reader)
}

// FeedbackDelete deletes what was said longer ago than keep.
func FeedbackDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `delete from feedback where created_at < now() - $1::interval`, keep)
}
