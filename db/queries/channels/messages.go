package queries

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// MessageListTraces returns the traces of messages and of the message of a delivery,
// each once. Messages without a trace are left out.
func MessageListTraces(ctx context.Context, q db.Querier, ids []uuid.UUID, deliveryID int64) ([]string, error) {
	rows, err := q.Query(ctx, `
		select distinct m.traceparent
		from unnest($1::uuid[] || array(select message_id from deliveries where id = $2 and message_id is not null)) as g (id)
		cross join lateral (select traceparent from messages where id = g.id offset 0) m
		where m.traceparent <> ''`, ids, deliveryID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// The planner knows neither how many ids a list has nor how few partitions it needs,
// and would read all of them. With "offset 0" a subquery looks each id up in its own.

// MessageSender is the sender of a message, which code before version 40 of the
// schema stored as a number.
const MessageSender = `coalesce(sender, sender_id::text) as sender`

// MessageColumns are the columns of a message m.
const MessageColumns = `m.id, m.organisation_id, m.channel, coalesce(m.sender, m.sender_id::text) as sender, m.recipient, m.kind, m.payload, m.reference,
	m.category, m.ttl_seconds as ttl, m.subject, m.parts, m.scheduled_at, m.state, m.created_at, m.leg, m.legs, m.leg_at`

// LegChannel is the channel of the leg of a message m.
const LegChannel = `case when m.leg = 1 then m.channel else m.legs->(m.leg - 2)->>'channel' end`

// MessageGet returns a message by its id.
func MessageGet(ctx context.Context, q db.Querier, id uuid.UUID) (models.Message, error) {
	return collect.One[models.Message](ctx, q, `select `+MessageColumns+` from messages m where m.id = $1`, id)
}
