package writes

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// AcceptedMessage is a message and the reply that is stored under its key.
// Without a key no reply is stored. Messages that were accepted together have
// the same key, and only the first of them has the rest of the reply.
type AcceptedMessage struct {
	models.Message
	Reply     models.IdempotentReply
	RequestID string // may be empty
	Trace     string // may be empty
}

// NewJob is what is the same in jobs that are inserted with rows of ours.
type NewJob struct {
	Kind  string // of a job for one row
	Many  string // of a job for several rows
	Queue string
	// Silent jobs wake no worker: the caller does it with JobWake.
	Silent bool
}

// messageInsert is the statement of MessageInsertMany, which every accepted message needs.
var messageInsert db.Named

// MessageInsertMany stores messages, the replies to them and their jobs. It
// returns the ids of the messages that it left out because their key was used
// before. A message that is scheduled has a job that is due then. A key that
// another transaction is storing is waited for; all callers store keys in the
// same order, so that they cannot wait for each other.
//
// It is one statement, which commits by itself outside a transaction, because
// another round trip would cost as much as storing several messages. The job and
// its notification are the same as a River client writes (parts/river.go).
func MessageInsertMany(ctx context.Context, q db.Querier, messages []AcceptedMessage, job NewJob) (left []uuid.UUID, err error) {
	err = q.QueryRow(ctx, `
		with given as (
			select * from unnest(
				@id::uuid[], @created_at::timestamptz[], @organisation_id::bigint[], @sender::text[], @channel::text[], @recipient::text[], @kind::text[],
				@payload::text[], @reference::text[], @category::text[], @key::text[], @route::text[], @fingerprint::bytea[], @status::smallint[],
				@response::bytea[], @ttl_seconds::integer[], @subject::text[], @parts::smallint[], @scheduled_at::timestamptz[], @legs::text[],
				@request_id::text[], @traceparent::text[])
			as g (id, created_at, organisation_id, sender, channel, recipient, kind, payload, reference, category, key, route, fingerprint, status, response,
				ttl_seconds, subject, parts, scheduled_at, legs, request_id, traceparent)
		), kept as (
			insert into idempotency_keys (organisation_id, key, route, fingerprint, status, response)
			select organisation_id, key, route, fingerprint, status, response from given where key <> '' and route <> '' order by organisation_id, key
			on conflict do nothing
			returning organisation_id, key
		), stored as (
			insert into messages (id, organisation_id, channel, sender, sender_id, recipient, kind, payload, reference, category,
				ttl_seconds, subject, parts, scheduled_at, legs, request_id, traceparent, created_at, updated_at)
			select id, organisation_id, channel, sender, case when channel = 'messaging' then sender::bigint else 0 end, recipient, kind, payload::json,
				reference, category, ttl_seconds, subject, parts, case when scheduled_at > created_at then scheduled_at end, nullif(legs, '')::json, request_id, traceparent, created_at, created_at
			from given where key = '' or (organisation_id, key) in (select organisation_id, key from kept)
			returning id, scheduled_at
		), queued as (
			`+parts.InsertMessageJobs+`
		)
		select array(select id from given where id not in (select id from stored)), n.notified
		from `+parts.NotifyJobInsert,
		messageInsert.With(pgx.NamedArgs{
			"id":              column(messages, func(m *AcceptedMessage) [16]byte { return m.ID }),
			"created_at":      column(messages, func(m *AcceptedMessage) time.Time { return m.CreatedAt }),
			"organisation_id": column(messages, func(m *AcceptedMessage) int64 { return m.OrganisationID }),
			"sender":          column(messages, func(m *AcceptedMessage) string { return m.Sender }),
			"channel":         column(messages, func(m *AcceptedMessage) string { return m.Channel }),
			"recipient":       column(messages, func(m *AcceptedMessage) string { return m.Recipient }),
			"kind":            column(messages, func(m *AcceptedMessage) string { return m.Kind }),
			"payload":         column(messages, func(m *AcceptedMessage) string { return string(m.Payload) }),
			"reference":       column(messages, func(m *AcceptedMessage) string { return m.Reference }),
			"category":        column(messages, func(m *AcceptedMessage) string { return m.Category }),
			"key":             column(messages, func(m *AcceptedMessage) string { return m.Reply.Key }),
			"route":           column(messages, func(m *AcceptedMessage) string { return m.Reply.Route }),
			"fingerprint":     column(messages, func(m *AcceptedMessage) []byte { return m.Reply.Fingerprint }),
			"status":          column(messages, func(m *AcceptedMessage) int16 { return int16(m.Reply.Status) }),
			"response":        column(messages, func(m *AcceptedMessage) []byte { return m.Reply.Response }),
			"ttl_seconds":     column(messages, func(m *AcceptedMessage) int32 { return int32(m.TTL) }),
			"subject":         column(messages, func(m *AcceptedMessage) string { return m.Subject }),
			"parts":           column(messages, func(m *AcceptedMessage) int16 { return int16(max(m.Parts, 1)) }),
			"scheduled_at":    column(messages, func(m *AcceptedMessage) time.Time { return m.due() }),
			"legs":            column(messages, func(m *AcceptedMessage) string { return m.legs() }),
			"request_id":      column(messages, func(m *AcceptedMessage) string { return m.RequestID }),
			"traceparent":     column(messages, func(m *AcceptedMessage) string { return m.Trace }),
			"job_kind":        job.Kind, "job_many": job.Many, "job_queue": job.Queue, "job_silent": job.Silent,
		})).Scan(&left, nil)
	return left, err
}

// due returns when a message is to be sent.
func (m *AcceptedMessage) due() time.Time {
	if m.ScheduledAt != nil {
		return *m.ScheduledAt
	}
	return m.CreatedAt
}

// legs returns the further legs of a message as JSON, empty if it has none.
func (m *AcceptedMessage) legs() string {
	if len(m.Legs) == 0 {
		return ""
	}
	raw, err := json.Marshal(m.Legs)
	if err != nil {
		panic(fmt.Sprintf("a leg is not JSON: %v", err)) // the acceptor has checked the payloads
	}
	return string(raw)
}

// column is what one column of an unnest takes from rows, as a type that is
// encoded without reflection.
func column[R, V any](rows []R, value func(row *R) V) pgtype.FlatArray[V] {
	values := make(pgtype.FlatArray[V], len(rows))
	for i := range rows {
		values[i] = value(&rows[i])
	}
	return values
}

// legTTL is the time to live of that leg, 0 for the time of its channel.
const legTTL = `case when m.leg = 1 then m.ttl_seconds else coalesce((m.legs->(m.leg - 2)->>'ttl')::integer, 0) end`

// MessageMove is one step of a message, or of one of its parts.
type MessageMove struct {
	ID         uuid.UUID
	Leg        int
	Part       int // not used for a message
	To         string
	At         time.Time
	ProviderID string          // kept when not empty
	Failure    json.RawMessage // of states of failed messages
}

// MessageRule lists the states that a state may follow in a channel.
type MessageRule struct {
	Channel, To string
	From        []string
}

// messageWebhook joins the webhook for the callbacks of a message m, if one was
// ever set. The limit makes the planner look each one up.
const messageWebhook = `
	left join lateral (select id, failures from webhooks where channel = m.channel and subject = coalesce(nullif(m.subject, ''), m.sender) limit 1) w on true`

const movedColumns = `m.id, m.organisation_id, m.channel, m.sender, m.subject, m.recipient, m.kind, m.payload, m.reference, m.category,
	m.ttl_seconds as ttl, m.parts, m.scheduled_at, m.state, m.created_at, m.leg, m.legs, m.leg_at, m.updated_at as at,
	coalesce(w.id, 0) as webhook_id, coalesce(w.failures > 0, false) as webhook_failing`

// MessageUpdateStates makes steps of different messages, records their events
// and returns the messages that moved, with their webhook. A message that no
// rule of its channel lets move stays as it is and is not returned. The times of one
// message's states increase, by a millisecond at least, so that they give the order.
// A step of a leg that the message is not on moves nothing.
func MessageUpdateStates(ctx context.Context, q db.Querier, moves []MessageMove, rules []MessageRule) ([]models.Moved, error) {
	var ids []uuid.UUID
	var to, providers, failures []string
	var legs []int
	var at []time.Time
	for _, m := range moves {
		ids, to, at, legs = append(ids, m.ID), append(to, m.To), append(at, m.At), append(legs, m.Leg)
		providers, failures = append(providers, m.ProviderID), append(failures, string(m.Failure))
	}
	var channels, states, sources []string
	for _, r := range rules {
		channels, states, sources = append(channels, r.Channel), append(states, r.To), append(sources, strings.Join(r.From, " "))
	}
	return collect.Many[models.Moved](ctx, q, `
		with step as (
			select id, state, at, provider_id, nullif(failure, '')::json as failure, leg
			from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $9::int[]) as s (id, state, at, provider_id, failure, leg)
		), rule as (
			select channel, state, string_to_array(sources, ' ') as sources from unnest($6::text[], $7::text[], $8::text[]) as r (channel, state, sources)
		), m as (
			update messages m set state = s.state, failure = coalesce(s.failure, m.failure),
			       provider_id = case when s.provider_id = '' then m.provider_id else s.provider_id end,
			       updated_at = case when m.state = 'accepted' and m.leg = 1 then s.at else greatest(s.at, m.updated_at + interval '1 millisecond') end
			from step s join rule r on r.state = s.state
			where m.id = s.id and m.leg = s.leg and r.channel = `+queries.LegChannel+` and m.state = any(r.sources)
			returning m.id, organisation_id, m.channel, coalesce(sender, sender_id::text) as sender, subject, recipient, kind, payload, reference, category,
			          ttl_seconds, parts, scheduled_at, m.state, created_at, updated_at, m.leg, legs, leg_at, s.failure
		), event as (
			insert into message_events (message_id, state, occurred_at, failure)
			select id, state, updated_at, failure from m where leg = 1 on conflict do nothing
		), leg_event as (
			insert into leg_events (message_id, leg, state, occurred_at, failure)
			select id, leg, state, updated_at, failure from m where leg > 1 on conflict do nothing returning message_id
		)
		select `+movedColumns+`, m.leg > 1 and not exists (select from leg_event e where e.message_id = m.id) as again from m`+messageWebhook,
		ids, to, at, providers, failures, channels, states, sources, legs)
}

// MessageFallOver puts messages on their next leg, which begins when the one
// before it ended. The carriage of a part that was all of the leg takes over what the
// message's row knew of it. They are noted as unsettled, because the mark of the settling
// has passed them.
func MessageFallOver(ctx context.Context, q db.Querier, ids []uuid.UUID) error {
	return collect.Execute(ctx, q, `
		with ended as (
			select m.id, m.leg, m.state, m.provider_id
			from (select distinct unnest($1::uuid[]) as id) g cross join lateral (select * from messages where id = g.id offset 0) m
		), part as (
			update carriages c set state = e.state, provider_id = e.provider_id, updated_at = now()
			from ended e
			where c.message_id = e.id and c.leg = e.leg and c.part = 1 and c.state = 'dialling' and e.provider_id <> ''
			  and not exists (select from carriages other where other.message_id = e.id and other.leg = e.leg and other.part > 1)
		), m as (
			update messages m set leg = leg + 1, leg_at = updated_at, state = 'accepted', failure = null, provider_id = ''
			from unnest($1::uuid[]) as g (id) where m.id = g.id returning m.id
		)
		insert into unsettled_messages select id from m on conflict do nothing`, ids)
}

// MessageLockMany locks messages and returns them with their webhooks.
func MessageLockMany(ctx context.Context, q db.Querier, ids []uuid.UUID) ([]models.Moved, error) {
	return collect.Many[models.Moved](ctx, q, `
		with m as (
			select m.id, organisation_id, channel, `+queries.MessageSender+`, subject, recipient, kind, payload, reference, category,
			       ttl_seconds, parts, scheduled_at, state, created_at, updated_at, leg, legs, leg_at
			from (select distinct unnest($1::uuid[]) as id order by id) g
			cross join lateral (select * from messages where id = g.id offset 0 for update) m
		)
		select `+movedColumns+`, false as again from m`+messageWebhook, ids)
}

func nullJSON(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	return []byte(raw)
}
