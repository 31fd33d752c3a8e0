package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ReviewThreadInsert opens a thread and returns its id.
func ReviewThreadInsert(ctx context.Context, q db.Querier, t models.ReviewThread) (id int64, err error) {
	return collect.Value[int64](ctx, q, `insert into review_threads (change_set_id, item_id, field, excerpt, version_id, contract_change, seen_hash)
		values ($1, $2, $3, $4, nullif($5::bigint, 0), $6, $7) returning id`,
		t.ChangeSetID, t.ItemID, t.Field, t.Excerpt, t.VersionID, t.ContractChange, t.SeenHash)
}

// ReviewThreadUpdateResolved resolves a thread, or opens it again where by is zero.
// It reports whether the thread changed.
func ReviewThreadUpdateResolved(ctx context.Context, q db.Querier, id, by int64) (changed bool, err error) {
	return collect.Changed(ctx, q, `
		update review_threads set resolved_by = nullif($2::bigint, 0), resolved_at = case when $2 = 0 then null else now() end
		where id = $1 and (resolved_by is null) = ($2 <> 0)`, id, by)
}

// ReviewThreadMove takes the threads of items from one change set to another.
func ReviewThreadMove(ctx context.Context, q db.Querier, from, to int64, itemIDs []int64) error {
	return collect.Execute(ctx, q, `update review_threads set change_set_id = $2 where change_set_id = $1 and item_id = any($3)`, from, to, itemIDs)
}

// ReviewCommentInsert adds a comment to a thread.
func ReviewCommentInsert(ctx context.Context, q db.Querier, threadID, authorID int64, text string) error {
	return collect.Execute(ctx, q, `insert into review_comments (thread_id, author_id, text) values ($1, nullif($2::bigint, 0), $3)`, threadID, authorID, text)
}
