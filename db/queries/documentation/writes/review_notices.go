package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ReviewNoticeInsert adds an event of a review.
func ReviewNoticeInsert(ctx context.Context, q db.Querier, n models.ReviewNotice) error {
	return collect.Execute(ctx, q, `insert into review_notices (change_set_id, event, actor_id, note) values ($1, $2, nullif($3::bigint, 0), $4)`, n.ChangeSetID, n.Event, n.ActorID, n.Note)
}

// ReviewNoticeTake deletes the events of a change set and returns them, the oldest
// first.
func ReviewNoticeTake(ctx context.Context, q db.Querier, changeSetID int64) ([]models.ReviewNotice, error) {
	return collect.Many[models.ReviewNotice](ctx, q, `
		with taken as (delete from review_notices where change_set_id = $1 returning *)
		select n.id, n.change_set_id, n.event, coalesce(n.actor_id, 0) as actor_id, coalesce(nullif(u.name, ''), u.email, '') as actor_name, n.note, n.created_at
		from taken n left join admin_users u on u.id = n.actor_id order by n.id`, changeSetID)
}
