package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ReviewNoticeListDue returns the change sets with an event from before a time, at
// most limit.
func ReviewNoticeListDue(ctx context.Context, q db.Querier, before time.Time, limit int) ([]int64, error) {
	return collect.Values[int64](ctx, q, `select change_set_id from review_notices group by change_set_id having min(created_at) < $1 order by min(created_at) limit $2`, before, limit)
}

// ReviewReaderList returns the people who receive emails about a change set: its
// author and those who reviewed or commented. With submitted it adds the Editors of
// the product, or the Super Admins where it has no other Editor.
func ReviewReaderList(ctx context.Context, q db.Querier, set models.ChangeSet, submitted bool) ([]models.ReviewReader, error) {
	return collect.Many[models.ReviewReader](ctx, q, `
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
