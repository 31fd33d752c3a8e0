package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AdminLinkGet returns a link that can still be used, of an administrator who
// is active.
func AdminLinkGet(ctx context.Context, q db.Querier, hash []byte) (models.AdminLink, error) {
	return collect.One[models.AdminLink](ctx, q, `
		select l.hash, l.admin_user_id, l.purpose, l.expires_at from admin_links l join admin_users u on u.id = l.admin_user_id and u.active
		where l.hash = $1 and l.consumed_at is null and l.expires_at > now()`, hash)
}
