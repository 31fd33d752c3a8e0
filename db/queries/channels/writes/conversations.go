package writes

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// InboundMessageInsert stores a message that a contact wrote and opens the
// conversation.
func InboundMessageInsert(ctx context.Context, q db.Querier, m models.InboundMessage) error {
	return collect.Execute(ctx, q, `
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
}

// InboundMessageUpdateRead marks a message that a number received as read, with
// all before it of the same contact; found is false when the number has not
// received it.
func InboundMessageUpdateRead(ctx context.Context, q db.Querier, phoneNumberID int64, id uuid.UUID) (found bool, err error) {
	return collect.Value[bool](ctx, q, `
		with named as (
			select organisation_id, contact from inbound_messages where id = $2 and phone_number_id = $1
		), marked as (
			update inbound_messages m set read_at = now()
			where m.phone_number_id = $1 and m.id <= $2 and m.read_at is null and m.contact = any(array(
				select contact from named union all select i from named, messaging_identities_of(organisation_id, contact) i))
		)
		select exists (select from named)`, phoneNumberID, id)
}
