package queries

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"heliograph/db"
	"heliograph/db/models"
)

// AcceptedMessage is a message, and the reply to it that is kept under its
// key; without a key none is kept.
type AcceptedMessage struct {
	models.Message
	Reply models.IdempotentReply
}

// NewJob is what is the same in jobs that are inserted with rows of ours.
type NewJob struct{ Kind, Queue string }

// MessageInsertMany stores messages, the replies to them and a job for each,
// and returns the ids of those that it left out because their key was used
// before. No two of the messages have the same key; one that another
// transaction is taking is waited for, and all callers take keys in the same
// order, so that they cannot wait for each other.
//
// It is one statement, which commits by itself outside a transaction: a round
// trip more would cost as much as storing several messages. The job and its
// notification are those of a River client (river.go).
func MessageInsertMany(ctx context.Context, q db.Querier, messages []AcceptedMessage, job NewJob) (left []uuid.UUID, err error) {
	err = q.QueryRow(ctx, `
		with given as (
			select * from unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
				$9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::smallint[], $15::bytea[], $16::integer[])
			as g (id, created_at, organisation_id, sender_id, channel, recipient, kind, payload,
				reference, category, key, route, fingerprint, status, response, ttl_seconds)
		), kept as (
			insert into idempotency_keys (organisation_id, key, route, fingerprint, status, response)
			select organisation_id, key, route, fingerprint, status, response from given where key <> '' order by organisation_id, key
			on conflict do nothing
			returning organisation_id, key
		), stored as (
			insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, reference, category, ttl_seconds, created_at, updated_at)
			select id, organisation_id, channel, sender_id, recipient, kind, payload::json, reference, category, ttl_seconds, created_at, created_at
			from given where key = '' or (organisation_id, key) in (select organisation_id, key from kept)
			returning id
		), queued as (
			`+insertMessageJobs+`
		)
		select array(select id from given where id not in (select id from stored))
		from `+notifyJobInsert,
		column(messages, func(m *AcceptedMessage) [16]byte { return m.ID }),
		column(messages, func(m *AcceptedMessage) time.Time { return m.CreatedAt }),
		column(messages, func(m *AcceptedMessage) int64 { return m.OrganisationID }),
		column(messages, func(m *AcceptedMessage) int64 { return m.SenderID }),
		column(messages, func(m *AcceptedMessage) string { return m.Channel }),
		column(messages, func(m *AcceptedMessage) string { return m.Recipient }),
		column(messages, func(m *AcceptedMessage) string { return m.Kind }),
		column(messages, func(m *AcceptedMessage) string { return string(m.Payload) }),
		column(messages, func(m *AcceptedMessage) string { return m.Reference }),
		column(messages, func(m *AcceptedMessage) string { return m.Category }),
		column(messages, func(m *AcceptedMessage) string { return m.Reply.Key }),
		column(messages, func(m *AcceptedMessage) string { return m.Reply.Route }),
		column(messages, func(m *AcceptedMessage) []byte { return m.Reply.Fingerprint }),
		column(messages, func(m *AcceptedMessage) int16 { return int16(m.Reply.Status) }),
		column(messages, func(m *AcceptedMessage) []byte { return m.Reply.Response }),
		column(messages, func(m *AcceptedMessage) int32 { return int32(m.TTL) }),
		job.Kind, job.Queue).Scan(&left)
	return left, err
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

// MessageGet returns a message by its id.
func MessageGet(ctx context.Context, q db.Querier, id uuid.UUID) (models.Message, error) {
	return one[models.Message](ctx, q, `
		select id, organisation_id, channel, sender_id, recipient, kind, payload, reference, category, ttl_seconds as ttl, state, created_at
		from messages where id = $1`, id)
}

// MessageMove is one step of a message along its state machine.
type MessageMove struct {
	ID         uuid.UUID
	To         string
	From       []string // states from which the step is allowed
	At         time.Time
	ProviderID string          // kept when not empty
	Failure    json.RawMessage // for failed
}

// MessageUpdateStates makes steps of different messages, records their events
// and returns, for those that were made, what a callback needs. A message that
// is in none of the From states stays as it is and is not returned.
func MessageUpdateStates(ctx context.Context, q db.Querier, moves []MessageMove) ([]models.Moved, error) {
	var ids []uuid.UUID
	var to, from, providers, failures []string
	var at []time.Time
	for _, m := range moves {
		ids, to, at = append(ids, m.ID), append(to, m.To), append(at, m.At)
		from, providers, failures = append(from, strings.Join(m.From, " ")), append(providers, m.ProviderID), append(failures, string(m.Failure))
	}
	return manyLax[models.Moved](ctx, q, `
		with step as (
			select id, state, string_to_array(sources, ' ') as sources, at, provider_id, nullif(failure, '')::json as failure
			from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[]) as s (id, state, sources, at, provider_id, failure)
		), moved as (
			update messages m set state = s.state, updated_at = now(), failure = coalesce(s.failure, m.failure),
			       provider_id = case when s.provider_id = '' then m.provider_id else s.provider_id end
			from step s
			where m.id = s.id and m.state = any(s.sources)
			returning m.id, organisation_id, channel, sender_id, recipient, kind, reference, category, m.state, created_at,
			          payload->>'messaging_product' as product, s.at, s.failure
		), event as (
			insert into message_events (message_id, state, occurred_at, failure)
			select id, state, at, failure from moved on conflict do nothing
		)
		select m.id, m.organisation_id, m.channel, m.sender_id, m.recipient, m.kind, m.reference, m.category, m.state, m.created_at,
		       coalesce(m.product, '') as product, coalesce(p.number, '') as number, coalesce(p.business_account_id, 0) as business_account_id,
		       coalesce(w.id, 0) as webhook_id, coalesce(w.failures > 0, false) as webhook_failing
		from moved m
		left join phone_numbers p on m.channel = 'messaging' and p.id = m.sender_id
		left join webhooks w on w.channel = m.channel and w.subject = m.sender_id::text and w.url <> '' and w.disabled_at is null`,
		ids, to, from, at, providers, failures)
}

func nullJSON(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	return []byte(raw)
}
