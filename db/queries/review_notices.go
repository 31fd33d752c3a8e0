package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// ReviewNoticeInsert adds an event of a review.
func ReviewNoticeInsert(ctx context.Context, q db.Querier, n models.ReviewNotice) error {
	_, err := q.Exec(ctx, `insert into review_notices (change_set_id, event, actor_id, note) values ($1, $2, nullif($3::bigint, 0), $4)`, n.ChangeSetID, n.Event, n.ActorID, n.Note)
	return err
}

// ReviewNoticeListDue returns the change sets with an event from before a time, at
// most limit.
func ReviewNoticeListDue(ctx context.Context, q db.Querier, before time.Time, limit int) ([]int64, error) {
	return values[int64](ctx, q, `select change_set_id from review_notices group by change_set_id having min(created_at) < $1 order by min(created_at) limit $2`, before, limit)
}

// ReviewNoticeTake deletes the events of a change set and returns them, the oldest
// first.
func ReviewNoticeTake(ctx context.Context, q db.Querier, changeSetID int64) ([]models.ReviewNotice, error) {
	return many[models.ReviewNotice](ctx, q, `
		with taken as (delete from review_notices where change_set_id = $1 returning *)
		select n.id, n.change_set_id, n.event, coalesce(n.actor_id, 0) as actor_id, coalesce(nullif(u.name, ''), u.email, '') as actor_name, n.note, n.created_at
		from taken n left join admin_users u on u.id = n.actor_id order by n.id`, changeSetID)
}

// ReviewReaderList returns the people who receive emails about a change set: its
// author and those who reviewed or commented. With submitted it adds the Editors of
// the product, or the Super Admins where it has no other Editor.
func ReviewReaderList(ctx context.Context, q db.Querier, set models.ChangeSet, submitted bool) ([]models.ReviewReader, error) {
	return many[models.ReviewReader](ctx, q, `
		with editors as (
			select u.id from admin_users u join product_editors e on e.admin_user_id = u.id
			where e.product_id = $2 and u.role = 'editor' and u.active and u.password_set_at is not null and u.id <> $3)
		select u.id, u.email from admin_users u
		where u.active and u.review_emails and u.password_set_at is not null and (
			u.id = $3 or u.id in (select reviewer_id from reviews where change_set_id = $1)
			or u.id in (select c.author_id from review_comments c join review_threads t on t.id = c.thread_id where t.change_set_id = $1)
			or $4 and (u.id in (select id from editors) or u.role = 'super_admin' and not exists (select from editors)))
		order by u.id`, set.ID, set.ProductID, set.AuthorID, submitted)
}

// AdminUserReviewEmails reports whether an administrator receives emails about
// reviews.
func AdminUserReviewEmails(ctx context.Context, q db.Querier, id int64) (on bool, err error) {
	err = q.QueryRow(ctx, `select review_emails from admin_users where id = $1`, id).Scan(&on)
	return on, err
}

// AdminUserUpdateReviewEmails sets whether an administrator receives emails about
// reviews, and reports whether that changed.
func AdminUserUpdateReviewEmails(ctx context.Context, q db.Querier, id int64, on bool) (changed bool, err error) {
	tag, err := q.Exec(ctx, `update admin_users set review_emails = $2, updated_at = now() where id = $1 and review_emails <> $2`, id, on)
	return tag.RowsAffected() > 0, err
}
