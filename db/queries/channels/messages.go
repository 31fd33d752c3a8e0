package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// MessageListTraces returns the traces of messages and of the message of a delivery,
// each once. Messages without a trace are left out.
func MessageListTraces(ctx context.Context, q db.Querier, ids []uuid.UUID, deliveryID int64) ([]string, error) {
	return collect.Values[string](ctx, q, `
		select distinct m.traceparent
		from unnest($1::uuid[] || array(select message_id from deliveries where id = $2 and message_id is not null)) as g (id)
		cross join lateral (select traceparent from messages where id = g.id offset 0) m
		where m.traceparent <> ''`, ids, deliveryID)
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

// suppressionOf is the reason why the recipient of a message m must not be
// contacted by its leg, or that its number was removed.
const suppressionOf = `coalesce((
	select 'removed' from phone_numbers p where p.id = case when m.channel = 'messaging' then m.sender::bigint end and p.removed_at is not null), (
	select case when s.organisation_id = 0 then 'everyone' else s.reason end
	from (select m.recipient as identity union all select i from messaging_identities_of(m.organisation_id, m.recipient) i where m.channel = 'messaging') same
	join suppressions s on s.recipient = same.identity
	where s.organisation_id in (0, m.organisation_id) and s.channel in ('', ` + LegChannel + `)
	order by s.organisation_id, s.reason limit 1), '') as suppression`

// MessageListCarried returns messages that are to be handed over.
func MessageListCarried(ctx context.Context, q db.Querier, ids []uuid.UUID) ([]models.CarriedMessage, error) {
	return collect.Many[models.CarriedMessage](ctx, q, `select `+MessageColumns+`, `+suppressionOf+`
		from (select distinct unnest($1::uuid[]) as id) g cross join lateral (select * from messages where id = g.id offset 0) m`, ids)
}
