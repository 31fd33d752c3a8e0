package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// DeliveryUpdateWaiting puts a pending callback in the line of its webhook, where
// it waits without a job. The webhook is locked, so that its line is not found
// empty meanwhile. It returns the webhook, or pgx.ErrNoRows for a callback that is
// not pending.
func DeliveryUpdateWaiting(ctx context.Context, q db.Querier, id int64) (webhookID int64, err error) {
	err = q.QueryRow(ctx, `
		with w as (select id from webhooks where id = (select webhook_id from deliveries where id = $1) for share)
		update deliveries d set next_attempt_at = null from w where d.id = $1 and d.state = 'pending' returning w.id`, id).Scan(&webhookID)
	return webhookID, err
}

// WebhookLock returns and locks a webhook before its line moves on.
func WebhookLock(ctx context.Context, q db.Querier, id int64) (models.Webhook, error) {
	return oneLax[models.Webhook](ctx, q, `
		select id, organisation_id, url, failures, open_until, disabled_at, recent_attempts, recent_failures, counted_at
		from webhooks where id = $1 for update`, id)
}

// DeliveryCountDue counts the callbacks of a webhook that are due, up to limit.
func DeliveryCountDue(ctx context.Context, q db.Querier, webhookID int64, limit int) (n int, err error) {
	err = q.QueryRow(ctx, `
		select count(*) from (
			select from deliveries where webhook_id = $1 and state = 'pending' and next_attempt_at <= now() limit $2) d`, webhookID, limit).Scan(&n)
	return n, err
}

// DeliveryUpdateDue makes up to limit callbacks in the line of a webhook due, the
// oldest first, and returns them. The caller inserts their jobs.
func DeliveryUpdateDue(ctx context.Context, q db.Querier, webhookID int64, limit int) ([]int64, error) {
	return values[int64](ctx, q, `
		update deliveries set next_attempt_at = now()
		where id in (
			select id from deliveries where webhook_id = $1 and state = 'pending' and next_attempt_at is null order by id limit $2 for update skip locked)
		returning id`, webhookID, limit)
}

// DeliveryHasWaiting reports whether callbacks wait in the line of a webhook.
func DeliveryHasWaiting(ctx context.Context, q db.Querier, webhookID int64) (waiting bool, err error) {
	err = q.QueryRow(ctx, `
		select exists (select from deliveries where webhook_id = $1 and state = 'pending' and next_attempt_at is null)`, webhookID).Scan(&waiting)
	return waiting, err
}

// WebhookListWaiting returns the webhooks that have callbacks in line.
func WebhookListWaiting(ctx context.Context, q db.Querier) ([]int64, error) {
	return values[int64](ctx, q, `
		select id from webhooks w
		where exists (select from deliveries d where d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at is null) order by id`)
}
