package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// UserLinkGet returns an open link of an active user in an active organisation.
func UserLinkGet(ctx context.Context, q db.Querier, hash []byte) (models.UserLink, error) {
	return collect.One[models.UserLink](ctx, q, `
		select l.hash, l.user_id, l.expires_at from user_links l
		join organisation_users u on u.id = l.user_id and u.active
		join organisations o on o.id = u.organisation_id and o.status = 'active'
		where l.hash = $1 and l.consumed_at is null and l.expires_at > now()`, hash)
}
