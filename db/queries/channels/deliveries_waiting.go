package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// DeliveryCountDue counts the callbacks of a webhook that are due, up to limit.
func DeliveryCountDue(ctx context.Context, q db.Querier, webhookID int64, limit int) (n int, err error) {
	return collect.Value[int](ctx, q, `
		select count(*) from (
			select from deliveries where webhook_id = $1 and state = 'pending' and next_attempt_at <= now() limit $2) d`, webhookID, limit)
}

// DeliveryHasWaiting reports whether callbacks wait in the line of a webhook.
func DeliveryHasWaiting(ctx context.Context, q db.Querier, webhookID int64) (waiting bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (select from deliveries where webhook_id = $1 and state = 'pending' and next_attempt_at is null)`, webhookID)
}

// WebhookListWaiting returns the webhooks that have callbacks in line.
func WebhookListWaiting(ctx context.Context, q db.Querier) ([]int64, error) {
	return collect.Values[int64](ctx, q, `
		select id from webhooks w
		where exists (select from deliveries d where d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at is null) order by id`)
}
