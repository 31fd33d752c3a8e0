package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SMSStateGet returns an SMS of an organisation with its state.
func SMSStateGet(ctx context.Context, q db.Querier, organisationID int64, id uuid.UUID) (models.SMSState, error) {
	return collect.One[models.SMSState](ctx, q, `
		select `+MessageColumns+`, m.failure, m.updated_at
		from messages m where m.id = $1 and m.organisation_id = $2 and m.channel = 'sms'`, id, organisationID)
}
