package queries

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ConversationOpen reports whether a contact of an organisation has written to a number
// in the last 24 hours, under any identity.
func ConversationOpen(ctx context.Context, q db.Querier, organisationID, phoneNumberID int64, contact string) (open bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (
			select from conversations
			where phone_number_id = $3 and contact in `+IdentitiesOf+` and last_inbound_at > now() - interval '24 hours')`, organisationID, contact, phoneNumberID)
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
	found, err := collect.Many[models.InboundMessage](ctx, q, `
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
