package writes

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

// FeedbackDelete deletes what was said longer ago than keep.
func FeedbackDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	_, err := q.Exec(ctx, `delete from feedback where created_at < now() - $1::interval`, keep)
	return err
}
