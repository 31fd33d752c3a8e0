package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const reviewThreadColumns = `t.id, t.change_set_id, t.item_id, t.field, t.excerpt, coalesce(t.version_id, 0) as version_id, t.contract_change, t.seen_hash, coalesce(nullif(u.name, ''), u.email, '') as resolved_by_name,
	t.resolved_at, t.created_at`

// ReviewThreadGet returns a thread.
func ReviewThreadGet(ctx context.Context, q db.Querier, id int64) (models.ReviewThread, error) {
	return collect.One[models.ReviewThread](ctx, q, `select `+reviewThreadColumns+` from review_threads t left join admin_users u on u.id = t.resolved_by where t.id = $1`, id)
}

// ReviewThreadList returns the threads on the items that a change set holds, the
// oldest first.
func ReviewThreadList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.ReviewThread, error) {
	return collect.Many[models.ReviewThread](ctx, q, `
		select `+reviewThreadColumns+` from review_threads t left join admin_users u on u.id = t.resolved_by
		where t.change_set_id = $1 and t.item_id in (select item_id from change_set_items where change_set_id = $1) order by t.id`, changeSetID)
}

// ReviewThreadUnanswered counts the open threads on the items of a change set where the
// last comment is by neither of two people.
func ReviewThreadUnanswered(ctx context.Context, q db.Querier, changeSetID, authorID, actorID int64) (n int, err error) {
	return collect.Value[int](ctx, q, `
		select count(*) from review_threads t
		where t.change_set_id = $1 and t.resolved_at is null and t.item_id in (select item_id from change_set_items where change_set_id = $1)
			and (select coalesce(c.author_id, 0) from review_comments c where c.thread_id = t.id order by c.id desc limit 1) not in ($2, $3)`,
		changeSetID, authorID, actorID)
}

// ReviewCommentList returns the comments of the threads of a change set, the oldest
// first.
func ReviewCommentList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.ReviewComment, error) {
	return collect.Many[models.ReviewComment](ctx, q, `
		select c.id, c.thread_id, coalesce(c.author_id, 0) as author_id, coalesce(nullif(u.name, ''), u.email, 'Practice reviewer') as author_name, c.text, c.created_at
		from review_comments c join review_threads t on t.id = c.thread_id left join admin_users u on u.id = c.author_id
		where t.change_set_id = $1 order by c.id`, changeSetID)
}
