package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// PresenceTouch notes that an administrator has a place open now, and returns the
// names of the others who had it open at or after a time. It deletes older ones.
func PresenceTouch(ctx context.Context, q db.Querier, place string, userID int64, now, since time.Time) ([]string, error) {
	return collect.Values[string](ctx, q, `
		with gone as (delete from presences where place = $1 and admin_user_id <> $2 and seen_at < $4),
		mine as (insert into presences (place, admin_user_id, seen_at) values ($1, $2, $3) on conflict (place, admin_user_id) do update set seen_at = $3)
		select coalesce(nullif(u.name, ''), u.email) from presences p join admin_users u on u.id = p.admin_user_id
		where p.place = $1 and p.admin_user_id <> $2 and p.seen_at >= $4 order by 1`, place, userID, now, since)
}
