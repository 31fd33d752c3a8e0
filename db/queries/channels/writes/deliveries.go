package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// NewDelivery is a callback to store for a webhook; MessageID is nil for one
// that is not about a message.
type NewDelivery struct {
	WebhookID int64
	MessageID *uuid.UUID
	Event     string
	Body      []byte
}

// StoredDelivery is a callback that was stored, and for which webhook.
type StoredDelivery struct {
	ID, WebhookID int64
	State         string // pending, or failed for a webhook that takes nothing
}

// DeliveryInsertMany stores callbacks. A callback for a webhook that is disabled or has
// no URL fails without an attempt and can be replayed. A callback for a webhook that is
// gone is left out. No webhook goes before its callbacks are stored.
func DeliveryInsertMany(ctx context.Context, q db.Querier, deliveries []NewDelivery) ([]StoredDelivery, error) {
	var webhooks []int64
	var messages []*uuid.UUID
	var events []string
	var bodies [][]byte
	for _, d := range deliveries {
		webhooks, messages, events, bodies = append(webhooks, d.WebhookID), append(messages, d.MessageID), append(events, d.Event), append(bodies, d.Body)
	}
	return collect.Many[StoredDelivery](ctx, q, `
		insert into deliveries (webhook_id, organisation_id, message_id, event, body, state, next_attempt_at, finished_at)
		select w.id, w.organisation_id, d.message_id, d.event, d.body, case when takes then 'pending' else 'failed' end,
		       case when takes then now() end, case when not takes then now() end
		from unnest($1::bigint[], $2::uuid[], $3::text[], $4::bytea[]) with ordinality as d (webhook_id, message_id, event, body, n)
		join webhooks w on w.id = d.webhook_id cross join lateral (select w.url <> '' and w.disabled_at is null as takes) t order by d.n for key share of w
		returning id, webhook_id, state`, webhooks, messages, events, bodies)
}

// DeliveryAttempt is an attempt and what it makes of its delivery.
type DeliveryAttempt struct {
	models.Attempt
	State string // of the delivery after it: pending, delivered or failed
	Next  time.Time
}

// DeliveryUpdateAttempted stores attempts, each at a delivery of its own, and the
// states that follow from them.
func DeliveryUpdateAttempted(ctx context.Context, q db.Querier, attempts []DeliveryAttempt) error {
	var ids []int64
	var numbers, statuses []int16
	var latencies []int32
	var started []time.Time
	var next []*time.Time
	var urls, headers, responses, failures, states []string
	for _, a := range attempts {
		ids, numbers, statuses = append(ids, a.DeliveryID), append(numbers, int16(a.Number)), append(statuses, int16(a.Status))
		started, latencies = append(started, a.StartedAt), append(latencies, int32(a.Latency.Milliseconds()))
		urls, headers, responses = append(urls, a.URL), append(headers, a.Headers), append(responses, a.Response)
		failures, states, next = append(failures, a.Error), append(states, a.State), append(next, collect.Null(a.Next))
	}
	return collect.Execute(ctx, q, `
		with made as (
			select * from unnest($1::bigint[], $2::smallint[], $3::timestamptz[], $4::int[], $5::text[], $6::text[], $7::smallint[], $8::text[], $9::text[], $10::text[], $11::timestamptz[])
			as m (delivery_id, number, started_at, latency_ms, url, headers, status, response, error, state, next)
		), stored as (
			insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url, headers, status, response, error)
			select delivery_id, number, started_at, latency_ms, url, headers, nullif(status, 0), response, error from made
			on conflict do nothing
		)
		update deliveries d set attempts = attempts + 1, state = made.state, next_attempt_at = made.next,
		       finished_at = case when made.state = 'pending' then null else now() end
		from made where d.id = made.delivery_id`,
		ids, numbers, started, latencies, urls, headers, statuses, responses, failures, states, next)
}

// DeliveryUpdateFailed gives pending deliveries up without an attempt.
func DeliveryUpdateFailed(ctx context.Context, q db.Querier, ids ...int64) error {
	return collect.Execute(ctx, q, `update deliveries set state = 'failed', next_attempt_at = null, finished_at = now() where id = any($1) and state = 'pending'`, ids)
}
