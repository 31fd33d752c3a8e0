package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
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

// DeliveryInsertMany stores callbacks. Those of webhooks that are disabled or have
// no URL fail without an attempt and can be replayed. Those of webhooks that are
// gone are left out, and none goes before its callbacks are stored.
func DeliveryInsertMany(ctx context.Context, q db.Querier, deliveries []NewDelivery) ([]StoredDelivery, error) {
	var webhooks []int64
	var messages []*uuid.UUID
	var events []string
	var bodies [][]byte
	for _, d := range deliveries {
		webhooks, messages, events, bodies = append(webhooks, d.WebhookID), append(messages, d.MessageID), append(events, d.Event), append(bodies, d.Body)
	}
	return many[StoredDelivery](ctx, q, `
		insert into deliveries (webhook_id, organisation_id, message_id, event, body, state, next_attempt_at, finished_at)
		select w.id, w.organisation_id, d.message_id, d.event, d.body, case when takes then 'pending' else 'failed' end,
		       case when takes then now() end, case when not takes then now() end
		from unnest($1::bigint[], $2::uuid[], $3::text[], $4::bytea[]) with ordinality as d (webhook_id, message_id, event, body, n)
		join webhooks w on w.id = d.webhook_id cross join lateral (select w.url <> '' and w.disabled_at is null as takes) t order by d.n for key share of w
		returning id, webhook_id, state`, webhooks, messages, events, bodies)
}

// DeliveryListRelayed returns deliveries with their webhooks and the signing secrets
// of the subjects. Earlier callbacks about a message are looked for from the mark on
// that was set before the message, by the message alone: without statistics the
// database would rather read all that wait for the webhook.
func DeliveryListRelayed(ctx context.Context, q db.Querier, ids []int64) ([]models.Delivery, error) {
	rows, err := manyLax[deliveryRow](ctx, q, `
		select d.id, d.event, d.body, d.state, d.attempts, d.attempts_before as before, d.created_at,
		       coalesce((
		           select bool_or(e.webhook_id = d.webhook_id and e.id < d.id and e.state = 'pending' and e.attempts = e.attempts_before)
		           from deliveries e where e.message_id = d.message_id and e.id > mark.number
		       ), false) as earlier, p.webhook_secret as secret,
		       case when p.previous_secret_until > now() then p.previous_webhook_secret end as previous_secret,
		       w.id as webhook_id, w.organisation_id, w.channel, w.subject, w.url, w.headers, w.format, w.secret as own_secret,
		       case when w.previous_secret_until > now() then w.previous_secret end as own_previous, w.failures, w.failing_since, w.open_until, w.disabled_at,
		       w.recent_attempts, w.recent_failures, w.counted_at
		from deliveries d
		join webhooks w on w.id = d.webhook_id
		left join phone_numbers p on p.id = case when w.channel = 'messaging' then w.subject::bigint end
		cross join lateral (
		    select coalesce((select number from delivery_marks where at <= id_made(d.message_id) - interval '1 day' order by at desc limit 1), 0) as number
		) mark
		where d.id = any($1)`, ids)
	deliveries := make([]models.Delivery, len(rows))
	for i, row := range rows {
		d := row.Delivery
		d.Webhook = row.webhook()
		d.Webhook.OrganisationID, d.Webhook.Channel, d.Webhook.Subject = row.OrganisationID, row.Channel, row.Subject
		d.Webhook.Format, d.Webhook.Secret, d.Webhook.PreviousSecret = row.Format, row.OwnSecret, row.OwnPrevious
		deliveries[i] = d
	}
	return deliveries, err
}

// deliveryRow is a delivery with the columns of its webhook.
type deliveryRow struct {
	models.Delivery
	webhookColumns
	OrganisationID   int64
	Channel, Subject string
	Format           string
	OwnSecret        []byte
	OwnPrevious      []byte
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
		failures, states, next = append(failures, a.Error), append(states, a.State), append(next, nullTime(a.Next))
	}
	_, err := q.Exec(ctx, `
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
	return err
}

// DeliveryUpdateFailed gives pending deliveries up without an attempt.
func DeliveryUpdateFailed(ctx context.Context, q db.Querier, ids ...int64) error {
	_, err := q.Exec(ctx, `update deliveries set state = 'failed', next_attempt_at = null, finished_at = now() where id = any($1) and state = 'pending'`, ids)
	return err
}

func nullTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
