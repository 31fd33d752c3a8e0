package writes

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ReceivedInsert stores a message that an organisation received.
func ReceivedInsert(ctx context.Context, q db.Querier, m models.ReceivedMessage) error {
	return collect.Execute(ctx, q, `
		insert into inbound_messages (id, organisation_id, channel, contact, recipient, kind, payload, received_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		m.ID, m.OrganisationID, m.Channel, m.Contact, m.Recipient, m.Kind, []byte(m.Payload), m.ReceivedAt)
}

// CarrierIDClaim notes the id of a message that a carrier passed on, and reports
// whether it is new.
func CarrierIDClaim(ctx context.Context, q db.Querier, carrier, id string, message uuid.UUID) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into carrier_ids (carrier, provider_id, message_id, leg, part) values ($1, $2, $3, 1, 1) on conflict do nothing`, carrier, id, message)
}

// SMSNumberInsert gives a number to an organisation, and reports whether nobody had
// it.
func SMSNumberInsert(ctx context.Context, q db.Querier, n models.SMSNumber) (bool, error) {
	return collect.Changed(ctx, q, `insert into sms_numbers (number, organisation_id) values ($1, $2) on conflict do nothing`, n.Number, n.OrganisationID)
}

// SMSNumberDelete takes a number from an organisation, and reports whether it had it.
func SMSNumberDelete(ctx context.Context, q db.Querier, n models.SMSNumber) (bool, error) {
	return collect.Changed(ctx, q, `delete from sms_numbers where number = $1 and organisation_id = $2`, n.Number, n.OrganisationID)
}
