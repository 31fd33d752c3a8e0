package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RetentionGet returns for how many days the contents and the logs of an
// organisation are kept. Organisation 0 stands for those without their own row.
func RetentionGet(ctx context.Context, q db.Querier, organisationID int64) (bodies, logs int, err error) {
	err = q.QueryRow(ctx, `
		select bodies_days, logs_days from retention where organisation_id in (0, $1) order by organisation_id desc limit 1`, organisationID).
		Scan(&bodies, &logs)
	return bodies, logs, err
}

// RetentionList returns the organisations that were promised other times.
func RetentionList(ctx context.Context, q db.Querier) ([]models.Retention, error) {
	return collect.Many[models.Retention](ctx, q, `
		select r.organisation_id, o.name as organisation, r.bodies_days as bodies, r.logs_days as logs
		from retention r join organisations o on o.id = r.organisation_id order by o.name, o.id`)
}

// OrganisationListIDs returns the ids of all organisations.
func OrganisationListIDs(ctx context.Context, q db.Querier) ([]int64, error) {
	return collect.Values[int64](ctx, q, `select id from organisations order by id`)
}

// RetentionMarkNext returns the time of the oldest message, callback or received
// message of an organisation from a time on and before end, or end.
func RetentionMarkNext(ctx context.Context, q db.Querier, organisationID int64, from, end time.Time) (next time.Time, err error) {
	return collect.Value[time.Time](ctx, q, `
		select least($3::timestamptz,
			(select min(created_at) from messages where organisation_id = $1 and id >= $4 and id < $5 and created_at >= $2 and created_at < $3),
			(select min(created_at) from deliveries where organisation_id = $1 and created_at >= $2 and created_at < $3
				and id > (select deliveries_after($2)) and id <= (select deliveries_until($3))),
			(select min(i.received_at) from inbound_messages i
				where i.organisation_id = $1 and i.id >= $4 and i.id < $5 and i.received_at >= $2 and i.received_at < $3))`,
		organisationID, from, end, models.FirstMessageID(from.Add(-time.Hour)), models.FirstMessageID(end.Add(time.Hour)))
}

// recipientMessage is a message to a recipient.
type recipientMessage struct {
	ID      uuid.UUID
	Waiting bool // it or its callback is still on its way
}

// RecipientMessages lists the messages to a recipient that have their end, and
// counts those still on their way, under each identity of the recipient.
// Organisation 0 stands for all.
func RecipientMessages(ctx context.Context, q db.Querier, organisationID int64, recipient string) (ended []uuid.UUID, waiting int, err error) {
	rows, err := collect.Many[recipientMessage](ctx, q, `
		with known as (
			select o.id as organisation_id, i.identity from organisations o
			cross join lateral (select $2::text as identity union select i from messaging_identities_of(o.id, $2) i) i where $1::bigint in (0, o.id)
		)
		select m.id, m.state = 'accepted' or exists (
			select from deliveries d where d.message_id = m.id and d.state = 'pending' and d.id > mark.number) as waiting
		from organisations o join messages m on m.organisation_id = o.id and m.recipient = any(array(select identity from known))
			cross join lateral (select deliveries_after(id_made(m.id)) as number) mark
		where (o.id, m.recipient) in (select organisation_id, identity from known)`, organisationID, recipient)
	for _, row := range rows {
		if row.Waiting {
			waiting++
		} else {
			ended = append(ended, row.ID)
		}
	}
	return ended, waiting, err
}
