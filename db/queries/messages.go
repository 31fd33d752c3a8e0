package queries

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// MessageCopy adds accepted messages in one COPY.
func MessageCopy(ctx context.Context, q db.Querier, messages []models.Message) error {
	columns := []string{"id", "organisation_id", "channel", "sender_id", "recipient", "kind", "payload", "reference", "category", "created_at", "updated_at"}
	_, err := q.CopyFrom(ctx, pgx.Identifier{"messages"}, columns, pgx.CopyFromSlice(len(messages), func(i int) ([]any, error) {
		m := messages[i]
		return []any{[16]byte(m.ID), m.OrganisationID, m.Channel, m.SenderID, m.Recipient, m.Kind, []byte(m.Payload), m.Reference, m.Category, m.CreatedAt, m.CreatedAt}, nil
	}))
	return err
}

// MessageGet returns a message by its id.
func MessageGet(ctx context.Context, q db.Querier, id uuid.UUID) (models.Message, error) {
	var m models.Message
	err := q.QueryRow(ctx, `
		select id, organisation_id, channel, sender_id, recipient, kind, payload, reference, category, state, created_at
		from messages where id = $1`, id).
		Scan(&m.ID, &m.OrganisationID, &m.Channel, &m.SenderID, &m.Recipient, &m.Kind, &m.Payload, &m.Reference, &m.Category, &m.State, &m.CreatedAt)
	return m, err
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
	rows, err := q.Query(ctx, `
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
		       coalesce(m.product, ''), coalesce(p.number, ''), coalesce(p.business_account_id, 0), coalesce(w.id, 0), coalesce(w.failures > 0, false)
		from moved m
		left join phone_numbers p on m.channel = 'messaging' and p.id = m.sender_id
		left join webhooks w on w.channel = m.channel and w.subject = m.sender_id::text and w.url <> '' and w.disabled_at is null`,
		ids, to, from, at, providers, failures)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (m models.Moved, err error) {
		err = row.Scan(&m.ID, &m.OrganisationID, &m.Channel, &m.SenderID, &m.Recipient, &m.Kind, &m.Reference, &m.Category, &m.State, &m.CreatedAt,
			&m.Product, &m.Number, &m.BusinessAccountID, &m.WebhookID, &m.WebhookFailing)
		return m, err
	})
}

func nullJSON(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	return []byte(raw)
}
