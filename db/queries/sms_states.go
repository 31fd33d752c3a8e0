package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
)

// SMSStateGet returns an SMS of an organisation with its state.
func SMSStateGet(ctx context.Context, q db.Querier, organisationID int64, id uuid.UUID) (models.SMSState, error) {
	return one[models.SMSState](ctx, q, `
		select id, organisation_id, channel, `+messageSender+`, recipient, kind, payload, reference, category, ttl_seconds as ttl,
		       subject, parts, scheduled_at, state, created_at, failure, updated_at
		from messages where id = $1 and organisation_id = $2 and channel = 'sms'`, id, organisationID)
}
