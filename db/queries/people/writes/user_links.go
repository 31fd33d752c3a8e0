package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// UserLinkInsert stores a link and consumes the earlier links of its user.
func UserLinkInsert(ctx context.Context, q db.Querier, l models.UserLink) error {
	if err := UserLinkUpdateConsumed(ctx, q, l.UserID); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `insert into user_links (hash, user_id, expires_at) values ($1, $2, $3)`, l.Hash, l.UserID, l.ExpiresAt)
}

// UserLinkConsume consumes a link and reports whether it was open.
func UserLinkConsume(ctx context.Context, q db.Querier, hash []byte) (bool, error) {
	return collect.Changed(ctx, q, `update user_links set consumed_at = now() where hash = $1 and consumed_at is null and expires_at > now()`, hash)
}

// UserLinkUpdateConsumed consumes all links of a user.
func UserLinkUpdateConsumed(ctx context.Context, q db.Querier, userID int64) error {
	return collect.Execute(ctx, q, `update user_links set consumed_at = now() where user_id = $1 and consumed_at is null`, userID)
}

// UserLinkDelete deletes links that expired more than a week ago.
func UserLinkDelete(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `delete from user_links where expires_at < now() - interval '7 days'`)
}
