package queries

import (
	"context"
	"slices"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// BusinessAccountGet returns an account by its id, whoever owns it.
func BusinessAccountGet(ctx context.Context, q db.Querier, id int64) (models.BusinessAccount, error) {
	return collect.One[models.BusinessAccount](ctx, q, `
		select id, organisation_id, name, currency, timezone_id, message_template_namespace from business_accounts where id = $1`, id)
}

// BusinessAccountListOwned returns a page of the accounts that a business
// created, by id, and one more where there is one.
func BusinessAccountListOwned(ctx context.Context, q db.Querier, businessID int64, p models.Page) ([]models.BusinessAccount, error) {
	return businessAccounts(ctx, q, `from business_accounts a where a.business_id = $1 and a.removed_at is null`, businessID, p)
}

// BusinessAccountListClient returns a page of the accounts that others shared
// with a business, by id, and one more where there is one.
func BusinessAccountListClient(ctx context.Context, q db.Querier, businessID int64, p models.Page) ([]models.BusinessAccount, error) {
	return businessAccounts(ctx, q, `
		from business_accounts a join business_account_clients c on c.business_account_id = a.id where c.business_id = $1`, businessID, p)
}

func businessAccounts(ctx context.Context, q db.Querier, from string, businessID int64, p models.Page) ([]models.BusinessAccount, error) {
	order := "asc"
	if p.Before > 0 {
		order = "desc" // the nearest before the key, put in order below
	}
	accounts, err := collect.Many[models.BusinessAccount](ctx, q, `
		select a.id, a.organisation_id, a.name, a.currency, a.timezone_id, a.message_template_namespace `+from+`
		and a.id > $2 and ($3::bigint = 0 or a.id < $3) order by a.id `+order+` limit $4`, businessID, p.After, p.Before, p.Limit+1)
	if p.Before > 0 {
		slices.Reverse(accounts)
	}
	return accounts, err
}

// BusinessProfileGet returns the profile of a number; empty when none was
// filled in.
func BusinessProfileGet(ctx context.Context, q db.Querier, phoneNumberID int64) (models.BusinessProfile, error) {
	return collect.One[models.BusinessProfile](ctx, q, `
		select coalesce(b.about, '') as about, coalesce(b.address, '') as address, coalesce(b.description, '') as description, coalesce(b.email, '') as email,
		       coalesce(b.vertical, '') as vertical, coalesce(b.websites, '{}') as websites, coalesce(p.name, '') as picture
		from (select $1::bigint as id) n
		left join business_profiles b on b.phone_number_id = n.id
		left join profile_pictures p on p.phone_number_id = n.id`, phoneNumberID)
}

// CatalogueIDGet returns the id of the oldest catalogue of an organisation.
func CatalogueIDGet(ctx context.Context, q db.Querier, organisationID int64) (int64, error) {
	return collect.Value[int64](ctx, q, `select id from catalogues where organisation_id = $1 order by created_at, id limit 1`, organisationID)
}
