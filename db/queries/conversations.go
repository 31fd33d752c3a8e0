package queries

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
)

// ConversationOpen reports whether a contact of an organisation has written to a number
// in the last 24 hours, under any identity.
func ConversationOpen(ctx context.Context, q db.Querier, organisationID, phoneNumberID int64, contact string) (open bool, err error) {
	err = q.QueryRow(ctx, `
		select exists (
			select from conversations
			where phone_number_id = $3 and contact in `+identitiesOf+` and last_inbound_at > now() - interval '24 hours')`, organisationID, contact, phoneNumberID).
		Scan(&open)
	return open, err
}

// InboundMessageInsert stores a message that a contact wrote and opens the
// conversation.
func InboundMessageInsert(ctx context.Context, q db.Querier, m models.InboundMessage) error {
	_, err := q.Exec(ctx, `
		with stored as (
			insert into inbound_messages (id, phone_number_id, contact, user_id, kind, payload, context, received_at)
			values ($1, $2, $3, $8, $4, $5, $6, $7)
			returning phone_number_id, contact, received_at
		)
		insert into conversations (phone_number_id, contact, last_inbound_at)
		select phone_number_id, contact, received_at from stored
		on conflict (phone_number_id, contact) do update
		set last_inbound_at = greatest(conversations.last_inbound_at, excluded.last_inbound_at)`,
		m.ID, m.PhoneNumberID, m.Contact, m.Kind, []byte(m.Payload), m.Context, m.ReceivedAt, m.UserID)
	return err
}

// InboundMessageUpdateRead marks a message that a number received as read, with
// all before it of the same contact; found is false when the number has not
// received it.
func InboundMessageUpdateRead(ctx context.Context, q db.Querier, phoneNumberID int64, id uuid.UUID) (found bool, err error) {
	err = q.QueryRow(ctx, `
		with named as (
			select organisation_id, contact from inbound_messages where id = $2 and phone_number_id = $1
		), marked as (
			update inbound_messages m set read_at = now()
			where m.phone_number_id = $1 and m.id <= $2 and m.read_at is null and m.contact = any(array(
				select contact from named union all select i from named, messaging_identities_of(organisation_id, contact) i))
		)
		select exists (select from named)`, phoneNumberID, id).Scan(&found)
	return found, err
}

// InboundFilter asks for messages that a number received: up to Limit after or
// before one, or the newest ones.
type InboundFilter struct {
	OrganisationID, PhoneNumberID int64
	Contact                       string    // digits or a user id; empty for everybody
	After, Before                 uuid.UUID // a message after another one is older
	Limit                         int
}

// InboundMessageList returns messages that a number received, the newest first, and
// one more where there is one.
func InboundMessageList(ctx context.Context, q db.Querier, f InboundFilter) ([]models.InboundMessage, error) {
	order := "desc"
	if f.Before != uuid.Nil {
		order = "asc" // the nearest before the key, put in order below
	}
	found, err := many[models.InboundMessage](ctx, q, `
		select id, phone_number_id, contact, user_id, kind, payload, context, received_at from inbound_messages
		where organisation_id = $1 and phone_number_id = $2 and ($3 = '' or contact = $3 or contact in (select i from messaging_identities_of($1, $3) i))
		  and ($4::uuid is null or id < $4) and ($5::uuid is null or id > $5) order by id `+order+` limit $6`,
		f.OrganisationID, f.PhoneNumberID, f.Contact, nullID(f.After), nullID(f.Before), f.Limit+1)
	if f.Before != uuid.Nil {
		slices.Reverse(found)
	}
	return found, err
}

func nullID(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
