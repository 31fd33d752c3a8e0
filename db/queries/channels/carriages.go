package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// carriageColumns are the columns of carriages c that a models.Carriage has.
const carriageColumns = `c.message_id, c.leg, c.part, c.channel, c.carrier, c.provider_id, c.state, c.attempts, c.failure, c.updated_at`

// CarriageList returns the carriages of messages in the order of their parts.
func CarriageList(ctx context.Context, q db.Querier, messages []uuid.UUID) ([]models.Carriage, error) {
	if len(messages) == 0 {
		return nil, nil
	}
	return collect.Many[models.Carriage](ctx, q, `
		select `+carriageColumns+` 
		from (select distinct unnest($1::uuid[]) as id) g cross join lateral (select * from carriages where message_id = g.id offset 0) c
		order by message_id, leg, part`, messages)
}

// CarriageListOf returns the carriages of a leg of a message.
func CarriageListOf(ctx context.Context, q db.Querier, message uuid.UUID, leg int) ([]models.Carriage, error) {
	return collect.Many[models.Carriage](ctx, q, `select `+carriageColumns+` from carriages c where message_id = $1 and leg = $2 order by part`, message, leg)
}
