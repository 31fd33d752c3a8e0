package dbtest

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Traffic is what organisations are said to have sent in 30 days, in order and
// evenly. The first organisation sent a fifth of everything, the
// others the rest. One message in 250 failed; one in a million was never sent on.
type Traffic struct {
	Messages      int
	Until         time.Time // when the last one was sent
	Organisations int
	First         int64 // id of the first organisation; the others follow
	Callbacks     int   // one message in so many has a callback
}

const trafficDays = 30 * 24 * time.Hour

const trafficOrganisations = `
	insert into organisations (id, name, status) overriding system value
	select $1::bigint + n, 'Organisation ' || $1::bigint + n, 'active' from generate_series(0, $2::int - 1) n
	on conflict do nothing`

const trafficMessages = `
	insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state, created_at, updated_at)
	select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
	       organisation, case when n % 11 < 7 then 'messaging' when n % 11 < 10 then 'sms' else 'rcs' end, 1000000000000000 + organisation,
	       (array['9198', '9170', '4479', '1202'])[1 + n % 4] || lpad((hashint8(n) & 67108863)::text, 8, '0'), 'template',
	       json_build_object('messaging_product', 'msgapp', 'to', '919812345678', 'type', 'template', 'template', json_build_object(
	           'name', 'order_update', 'language', json_build_object('code', 'en_US'), 'components', repeat('x', 200))),
	       case when n % 250 = 0 then 'failed' when n % 1000000 = 1 then 'accepted' when n % 3 = 0 then 'delivered' else 'read' end, at, at
	from (
		select n, $6::timestamptz - (($1 - n) * interval '30 days' / $1) as at,
		       $5 + case when hashint8(n + 7) % 5 = 0 then 0 else 1 + abs(hashint8(n + 13)) % ($2 - 1) end as organisation
		from generate_series($3::bigint, $4::bigint) n
	) s`

const trafficStates = `
	insert into message_events (message_id, organisation_id, state, occurred_at)
	select m.id, m.organisation_id, s, m.created_at from messages m, unnest(array['sent', m.state]) s
	where m.id >= $1 and m.id < $2 and m.organisation_id >= $3 and m.state <> 'accepted'
	on conflict do nothing`

const trafficCarriages = `
	insert into carriages (message_id, leg, part, channel, carrier, provider_id, state, created_at, updated_at)
	select id, 1, 1, channel, 'sandbox', 'p-' || id, state, created_at, created_at from messages
	where id >= $1 and id < $2 and organisation_id >= $3 and state <> 'accepted'
	on conflict do nothing`

const trafficWebhooks = `
	insert into webhooks (organisation_id, channel, subject, url, headers)
	select distinct organisation_id, 'messaging', sender_id::text, 'https://example.com', ''::bytea from messages
	where id >= $1 and id < $2 and organisation_id >= $3
	on conflict do nothing`

const trafficDeliveries = `
	insert into deliveries (webhook_id, organisation_id, message_id, event, body, state, attempts, created_at, finished_at)
	select w.id, w.organisation_id, m.id, 'message.' || m.state, convert_to(repeat('y', 400), 'UTF8'),
	       case when hashtext(m.id::text) % 100 = 0 then 'failed' else 'delivered' end, 1, m.created_at, m.created_at
	from messages m join webhooks w on w.organisation_id = m.organisation_id and w.subject = m.sender_id::text
	where m.id >= $1 and m.id < $2 and m.organisation_id >= $3 and hashtext(m.recipient) % $4 = 0 order by m.id`

const trafficAttempts = `
	insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url, status)
	select id, 1, created_at, 40, 'https://example.com', 200 from deliveries where id > $1`

// Load writes messages from..to of the traffic, counted from 1, with their
// carriages, their states, and a callback, answered at its first attempt, for
// some. Organisations that do not exist are made.
func (traffic Traffic) Load(t testing.TB, pool *pgxpool.Pool, from, to int) {
	t.Helper()
	low, high := traffic.id(from), traffic.id(to+1)
	var delivery int64
	if err := pool.QueryRow(t.Context(), `select coalesce(max(id), 0) from deliveries`).Scan(&delivery); err != nil {
		t.Fatal(err)
	}
	write(t, pool, trafficOrganisations, traffic.First, traffic.Organisations)
	write(t, pool, trafficMessages, traffic.Messages, traffic.Organisations, from, to, traffic.First, traffic.Until)
	write(t, pool, trafficStates, low, high, traffic.First)
	write(t, pool, trafficCarriages, low, high, traffic.First)
	write(t, pool, trafficWebhooks, low, high, traffic.First)
	write(t, pool, trafficDeliveries, low, high, traffic.First, traffic.Callbacks)
	write(t, pool, trafficAttempts, delivery)
}

func write(t testing.TB, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// id is the least that the id of a message may be.
func (traffic Traffic) id(n int) (id uuid.UUID) {
	at := traffic.Until.Add(-trafficDays / time.Duration(traffic.Messages) * time.Duration(traffic.Messages-n))
	binary.BigEndian.PutUint64(id[:], uint64(at.UnixMilli())<<16)
	return id
}
