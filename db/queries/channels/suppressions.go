package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

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
