package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AdminLinkInsert stores a link and consumes those that its administrator had.
func AdminLinkInsert(ctx context.Context, q db.Querier, l models.AdminLink) error {
	if err := AdminLinkUpdateConsumed(ctx, q, l.AdminUserID); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `insert into admin_links (hash, admin_user_id, purpose, expires_at) values ($1, $2, $3, $4)`, l.Hash, l.AdminUserID, l.Purpose, l.ExpiresAt)
}

// AdminLinkConsume uses a link up and reports whether it could still be used.
func AdminLinkConsume(ctx context.Context, q db.Querier, hash []byte) (bool, error) {
	return collect.Changed(ctx, q, `update admin_links set consumed_at = now() where hash = $1 and consumed_at is null and expires_at > now()`, hash)
}

// AdminLinkUpdateConsumed uses up every link of an administrator.
func AdminLinkUpdateConsumed(ctx context.Context, q db.Querier, adminUserID int64) error {
	return collect.Execute(ctx, q, `update admin_links set consumed_at = now() where admin_user_id = $1 and consumed_at is null`, adminUserID)
}

// AdminLinkDelete drops links that expired more than a week ago.
func AdminLinkDelete(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `delete from admin_links where expires_at < now() - interval '7 days'`)
}
