package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AccountShareInsert shares an account with a business, if it is not yet, and
// returns with how many it is shared then.
func AccountShareInsert(ctx context.Context, q db.Querier, s models.AccountShare) (shares int, err error) {
	_, err = q.Exec(ctx, `
		insert into business_account_clients (business_account_id, business_id) values ($1, $2) on conflict do nothing`, s.AccountID, s.BusinessID)
	if err != nil {
		return 0, err
	}
	return collect.Value[int](ctx, q, `select count(*) from business_account_clients where business_account_id = $1`, s.AccountID)
}

// AccountShareDelete ends the sharing of an account if it, or the business, belongs
// to the organisation. The result says whether there was one.
func AccountShareDelete(ctx context.Context, q db.Querier, organisationID int64, s models.AccountShare) (bool, error) {
	return collect.Changed(ctx, q, `
		delete from business_account_clients c using business_accounts a, businesses b
		where c.business_account_id = $2 and c.business_id = $3 and a.id = c.business_account_id and b.id = c.business_id
			and (a.organisation_id = $1 or b.organisation_id = $1)`, organisationID, s.AccountID, s.BusinessID)
}
