package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// accountShares reads shares from the side of an organisation, $1: other is the one
// at the other end.
func accountShares(ctx context.Context, q db.Querier, own, other string, organisationID int64) ([]models.AccountShare, error) {
	return collect.Many[models.AccountShare](ctx, q, `
		select a.id as account_id, a.name as account, b.id as business_id, b.name as business, o.name as organisation, c.created_at
		from business_account_clients c
			join business_accounts a on a.id = c.business_account_id
			join businesses b on b.id = c.business_id
			join organisations o on o.id = `+other+`.organisation_id
		where `+own+`.organisation_id = $1 order by c.created_at, a.id, b.id limit 1000`, organisationID)
}
