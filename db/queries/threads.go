package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

const reviewThreadColumns = `t.id, t.change_set_id, t.item_id, t.field, t.excerpt, coalesce(t.version_id, 0) as version_id, t.contract_change, t.seen_hash, coalesce(nullif(u.name, ''), u.email, '') as resolved_by_name,
	t.resolved_at, t.created_at`

// ReviewThreadInsert opens a thread and returns its id.
func ReviewThreadInsert(ctx context.Context, q db.Querier, t models.ReviewThread) (id int64, err error) {
	err = q.QueryRow(ctx, `insert into review_threads (change_set_id, item_id, field, excerpt, version_id, contract_change, seen_hash)
		values ($1, $2, $3, $4, nullif($5::bigint, 0), $6, $7) returning id`,
		t.ChangeSetID, t.ItemID, t.Field, t.Excerpt, t.VersionID, t.ContractChange, t.SeenHash).Scan(&id)
	return id, err
}

// ReviewThreadGet returns a thread.
func ReviewThreadGet(ctx context.Context, q db.Querier, id int64) (models.ReviewThread, error) {
	return one[models.ReviewThread](ctx, q, `select `+reviewThreadColumns+` from review_threads t left join admin_users u on u.id = t.resolved_by where t.id = $1`, id)
}

// ReviewThreadList returns the threads on the items that a change set holds, the
// oldest first.
func ReviewThreadList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.ReviewThread, error) {
	return many[models.ReviewThread](ctx, q, `
		select `+reviewThreadColumns+` from review_threads t left join admin_users u on u.id = t.resolved_by
		where t.change_set_id = $1 and t.item_id in (select item_id from change_set_items where change_set_id = $1) order by t.id`, changeSetID)
}

// ReviewThreadUpdateResolved resolves a thread, or opens it again where by is zero.
// It reports whether the thread changed.
func ReviewThreadUpdateResolved(ctx context.Context, q db.Querier, id, by int64) (changed bool, err error) {
	tag, err := q.Exec(ctx, `
		update review_threads set resolved_by = nullif($2::bigint, 0), resolved_at = case when $2 = 0 then null else now() end
		where id = $1 and (resolved_by is null) = ($2 <> 0)`, id, by)
	return tag.RowsAffected() > 0, err
}

// ReviewThreadMove takes the threads of items from one change set to another.
func ReviewThreadMove(ctx context.Context, q db.Querier, from, to int64, itemIDs []int64) error {
	_, err := q.Exec(ctx, `update review_threads set change_set_id = $2 where change_set_id = $1 and item_id = any($3)`, from, to, itemIDs)
	return err
}

// ReviewThreadUnanswered counts the open threads on the items of a change set where the
// last comment is by neither of two people.
func ReviewThreadUnanswered(ctx context.Context, q db.Querier, changeSetID, authorID, actorID int64) (n int, err error) {
	err = q.QueryRow(ctx, `
		select count(*) from review_threads t
		where t.change_set_id = $1 and t.resolved_at is null and t.item_id in (select item_id from change_set_items where change_set_id = $1)
			and (select coalesce(c.author_id, 0) from review_comments c where c.thread_id = t.id order by c.id desc limit 1) not in ($2, $3)`,
		changeSetID, authorID, actorID).Scan(&n)
	return n, err
}

// ReviewCommentInsert adds a comment to a thread.
func ReviewCommentInsert(ctx context.Context, q db.Querier, threadID, authorID int64, text string) error {
	_, err := q.Exec(ctx, `insert into review_comments (thread_id, author_id, text) values ($1, nullif($2::bigint, 0), $3)`, threadID, authorID, text)
	return err
}

// ReviewCommentList returns the comments of the threads of a change set, the oldest
// first.
func ReviewCommentList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.ReviewComment, error) {
	return many[models.ReviewComment](ctx, q, `
		select c.id, c.thread_id, coalesce(c.author_id, 0) as author_id, coalesce(nullif(u.name, ''), u.email, 'Practice reviewer') as author_name, c.text, c.created_at
		from review_comments c join review_threads t on t.id = c.thread_id left join admin_users u on u.id = c.author_id
		where t.change_set_id = $1 order by c.id`, changeSetID)
}
