package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// UserLinkInsert stores a link and consumes the earlier links of its user.
func UserLinkInsert(ctx context.Context, q db.Querier, l models.UserLink) error {
	if err := UserLinkUpdateConsumed(ctx, q, l.UserID); err != nil {
		return err
	}
	_, err := q.Exec(ctx, `insert into user_links (hash, user_id, expires_at) values ($1, $2, $3)`, l.Hash, l.UserID, l.ExpiresAt)
	return err
}

// UserLinkConsume consumes a link and reports whether it was open.
func UserLinkConsume(ctx context.Context, q db.Querier, hash []byte) (bool, error) {
	tag, err := q.Exec(ctx, `update user_links set consumed_at = now() where hash = $1 and consumed_at is null and expires_at > now()`, hash)
	return tag.RowsAffected() == 1, err
}

// UserLinkUpdateConsumed consumes all links of a user.
func UserLinkUpdateConsumed(ctx context.Context, q db.Querier, userID int64) error {
	_, err := q.Exec(ctx, `update user_links set consumed_at = now() where user_id = $1 and consumed_at is null`, userID)
	return err
}

// UserLinkDelete deletes links that expired more than a week ago.
func UserLinkDelete(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `delete from user_links where expires_at < now() - interval '7 days'`)
	return err
}
