package queries

import (
	"context"
	"encoding/json"
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
		return []any{m.ID, m.OrganisationID, m.Channel, m.SenderID, m.Recipient, m.Kind, []byte(m.Payload), m.Reference, m.Category, m.CreatedAt, m.CreatedAt}, nil
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

// MessageUpdateState makes the step, records its event and returns what a
// callback needs. A message that is in none of the From states stays as it is:
// pgx.ErrNoRows.
func MessageUpdateState(ctx context.Context, q db.Querier, move MessageMove) (models.Moved, error) {
	var m models.Moved
	var number *string
	var account, webhook *int64
	var failing *bool
	err := q.QueryRow(ctx, `
		with moved as (
			update messages set state = $2, updated_at = now(), failure = coalesce($5, failure),
			       provider_id = case when $6 = '' then provider_id else $6 end
			where id = $1 and state = any($3)
			returning id, organisation_id, channel, sender_id, recipient, kind, reference, category, state, created_at, payload->>'messaging_product' as product
		), event as (
			insert into message_events (message_id, state, occurred_at, failure)
			select id, state, $4, $5 from moved on conflict do nothing
		)
		select m.id, m.organisation_id, m.channel, m.sender_id, m.recipient, m.kind, m.reference, m.category, m.state, m.created_at, coalesce(m.product, ''),
		       p.number, p.business_account_id, w.id, w.failures > 0
		from moved m
		left join phone_numbers p on m.channel = 'messaging' and p.id = m.sender_id
		left join webhooks w on w.channel = m.channel and w.subject = m.sender_id::text and w.url <> '' and w.disabled_at is null`,
		move.ID, move.To, move.From, move.At, nullJSON(move.Failure), move.ProviderID).
		Scan(&m.ID, &m.OrganisationID, &m.Channel, &m.SenderID, &m.Recipient, &m.Kind, &m.Reference, &m.Category, &m.State, &m.CreatedAt, &m.Product,
			&number, &account, &webhook, &failing)
	if err != nil {
		return m, err
	}
	if number != nil {
		m.Number, m.BusinessAccountID = *number, *account
	}
	if webhook != nil {
		m.WebhookID, m.WebhookFailing = *webhook, *failing
	}
	return m, nil
}

func nullJSON(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	return []byte(raw)
}
