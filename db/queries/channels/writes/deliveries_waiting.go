package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// DeliveryUpdateWaiting puts a pending callback in the line of its webhook, where
// it waits without a job. The webhook is locked, so that its line is not found
// empty meanwhile. It returns the webhook, or pgx.ErrNoRows for a callback that is
// not pending.
func DeliveryUpdateWaiting(ctx context.Context, q db.Querier, id int64) (webhookID int64, err error) {
	return collect.Value[int64](ctx, q, `
		with w as (select id from webhooks where id = (select webhook_id from deliveries where id = $1) for share)
		update deliveries d set next_attempt_at = null from w where d.id = $1 and d.state = 'pending' returning w.id`, id)
}

// WebhookLock returns and locks a webhook before its line moves on.
func WebhookLock(ctx context.Context, q db.Querier, id int64) (models.Webhook, error) {
	return collect.OneLax[models.Webhook](ctx, q, `
		select id, organisation_id, url, failures, open_until, disabled_at, recent_attempts, recent_failures, counted_at
		from webhooks where id = $1 for update`, id)
}

// DeliveryUpdateDue makes up to limit callbacks in the line of a webhook due, the
// oldest first, and returns them. The caller inserts their jobs.
func DeliveryUpdateDue(ctx context.Context, q db.Querier, webhookID int64, limit int) ([]int64, error) {
	return collect.Values[int64](ctx, q, `
		update deliveries set next_attempt_at = now()
		where id in (
			select id from deliveries where webhook_id = $1 and state = 'pending' and next_attempt_at is null order by id limit $2 for update skip locked)
		returning id`, webhookID, limit)
}
