package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

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

// SuppressionFilter narrows the list of an organisation.
type SuppressionFilter struct {
	OrganisationID int64
	Recipient      string // what the number or the user id begins with
	After          string // the last number and channel of the page before
	AfterChannel   string
}

// SuppressionList returns up to limit suppressions in the order of their numbers.
func SuppressionList(ctx context.Context, q db.Querier, f SuppressionFilter, limit int) ([]models.Suppression, error) {
	return collect.Many[models.Suppression](ctx, q, `
		select organisation_id, recipient, channel, reason, note, actor, created_at from suppressions
		where organisation_id = $1 and starts_with(recipient, $2) and (recipient, channel) > ($3, $4)
		order by recipient, channel limit $5`, f.OrganisationID, f.Recipient, f.After, f.AfterChannel, limit)
}

// SuppressionListOf returns the suppressions of numbers that hold for an
// organisation on a channel.
func SuppressionListOf(ctx context.Context, q db.Querier, organisationID int64, channel string, recipients []string) ([]models.Suppression, error) {
	return collect.Many[models.Suppression](ctx, q, `
		select organisation_id, recipient, channel, reason, note, actor, created_at from suppressions
		where recipient = any($3) and organisation_id in (0, $1) and channel in ('', $2)
		order by recipient, organisation_id, reason`, organisationID, channel, recipients)
}
