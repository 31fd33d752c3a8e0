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
		select `+messageColumns+`, m.failure, m.updated_at
		from messages m where m.id = $1 and m.organisation_id = $2 and m.channel = 'sms'`, id, organisationID)
}
