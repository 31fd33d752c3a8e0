package queries

import (
	"context"
	"slices"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// notRemoved holds for a row r of the registry while its asset was not removed.
const notRemoved = `not exists (select from phone_numbers where id = r.id and removed_at is not null)
		and not exists (select from business_accounts where id = r.id and removed_at is not null)`

// RegistryGet returns the kind and the organisation of an id.
func RegistryGet(ctx context.Context, q db.Querier, id int64) (kind string, organisationID int64, err error) {
	err = q.QueryRow(ctx, `select kind, organisation_id from registry r where id = $1 and `+notRemoved, id).Scan(&kind, &organisationID)
	return kind, organisationID, err
}

// RegistryCount counts the assets of a kind that an organisation has.
func RegistryCount(ctx context.Context, q db.Querier, organisationID int64, kind string) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from registry r where organisation_id = $1 and kind = $2 and `+notRemoved, organisationID, kind)
}

// BusinessIDGet returns the oldest business of an organisation.
func BusinessIDGet(ctx context.Context, q db.Querier, organisationID int64) (id int64, err error) {
	return collect.Value[int64](ctx, q, `select id from businesses where organisation_id = $1 order by created_at, id limit 1`, organisationID)
}

// AccountIDGetOwned returns the id of an account if the organisation has it. Of 0 it
// returns the id of its oldest account.
func AccountIDGetOwned(ctx context.Context, q db.Querier, organisationID, id int64) (found int64, err error) {
	return collect.Value[int64](ctx, q, `
		select id from business_accounts where organisation_id = $1 and $2::bigint in (0, id) and removed_at is null order by created_at, id limit 1`, organisationID, id)
}

// AssetList returns what an organisation has.
func AssetList(ctx context.Context, q db.Querier, organisationID int64) (a models.Assets, err error) {
	if a.Businesses, err = namedAssets(ctx, q, "businesses", "true", organisationID); err != nil {
		return a, err
	}
	if a.Accounts, err = namedAssets(ctx, q, "business_accounts", "removed_at is null", organisationID); err != nil {
		return a, err
	}
	if a.Catalogues, err = namedAssets(ctx, q, "catalogues", "true", organisationID); err != nil {
		return a, err
	}
	if a.Numbers, err = PhoneNumberList(ctx, q, organisationID); err != nil {
		return a, err
	}
	if a.Shared, err = accountShares(ctx, q, "a", "b", organisationID); err != nil {
		return a, err
	}
	a.Received, err = accountShares(ctx, q, "b", "a", organisationID)
	return a, err
}

func namedAssets(ctx context.Context, q db.Querier, table, condition string, organisationID int64) ([]models.NamedAsset, error) {
	return collect.Many[models.NamedAsset](ctx, q, `
		select id, name, created_at from `+table+` where organisation_id = $1 and `+condition+` order by created_at, id`, organisationID)
}

const phoneNumberColumns = `p.id, p.organisation_id, p.business_account_id, a.business_id, o.sandbox, p.number, p.verified_name, p.webhook_secret`

// PhoneNumberGet returns the number with the id, whoever owns it, unless it was
// removed.
func PhoneNumberGet(ctx context.Context, q db.Querier, id int64) (models.PhoneNumber, error) {
	return collect.OneLax[models.PhoneNumber](ctx, q, `
		select `+phoneNumberColumns+` from phone_numbers p join business_accounts a on a.id = p.business_account_id join organisations o on o.id = p.organisation_id
		where p.id = $1 and p.removed_at is null`, id)
}

// PhoneNumberList returns an organisation's numbers, oldest first.
func PhoneNumberList(ctx context.Context, q db.Querier, organisationID int64) ([]models.PhoneNumber, error) {
	return collect.ManyLax[models.PhoneNumber](ctx, q, `
		select `+phoneNumberColumns+` from phone_numbers p join business_accounts a on a.id = p.business_account_id join organisations o on o.id = p.organisation_id
		where p.organisation_id = $1 and p.removed_at is null order by p.created_at, p.id`, organisationID)
}

// PhoneNumberListOfAccount returns a page of the numbers of a business account, by id,
// and one more where there is one.
func PhoneNumberListOfAccount(ctx context.Context, q db.Querier, accountID int64, page models.Page) ([]models.PhoneNumber, error) {
	order := "asc"
	if page.Before > 0 {
		order = "desc" // the nearest before the key, put in order below
	}
	numbers, err := collect.ManyLax[models.PhoneNumber](ctx, q, `
		select `+phoneNumberColumns+` from phone_numbers p join business_accounts a on a.id = p.business_account_id join organisations o on o.id = p.organisation_id
		where p.business_account_id = $1 and p.removed_at is null and p.id > $2 and ($3::bigint = 0 or p.id < $3) order by p.id `+order+` limit $4`,
		accountID, page.After, page.Before, page.Limit+1)
	if page.Before > 0 {
		slices.Reverse(numbers)
	}
	return numbers, err
}

// PhoneNumberListByID returns numbers with what callbacks say of them, removed ones
// too.
func PhoneNumberListByID(ctx context.Context, q db.Querier, ids []int64) ([]models.PhoneNumber, error) {
	return collect.ManyLax[models.PhoneNumber](ctx, q, `
		select p.id, p.organisation_id, p.business_account_id, p.number, o.sandbox
		from phone_numbers p join organisations o on o.id = p.organisation_id where p.id = any($1)`, ids)
}
