package queries

import (
	"context"
	"slices"

	"heliograph/db"
	"heliograph/db/models"
)

// RegistryInsert takes an id for an asset of an organisation. A taken id is a
// unique violation: draw another.
func RegistryInsert(ctx context.Context, q db.Querier, id int64, kind string, organisationID int64) error {
	_, err := q.Exec(ctx, `insert into registry (id, kind, organisation_id) values ($1, $2, $3)`, id, kind, organisationID)
	return err
}

// RegistryInsertMany takes ids for assets of an organisation. A taken id is a
// unique violation: draw all of them again.
func RegistryInsertMany(ctx context.Context, q db.Querier, ids []int64, kind string, organisationID int64) error {
	_, err := q.Exec(ctx, `insert into registry (id, kind, organisation_id) select id, $2, $3 from unnest($1::bigint[]) id`, ids, kind, organisationID)
	return err
}

// RegistryDelete deletes ids and everything that they name.
func RegistryDelete(ctx context.Context, q db.Querier, ids []int64) error {
	_, err := q.Exec(ctx, `delete from registry where id = any($1)`, ids)
	return err
}

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
	err = q.QueryRow(ctx, `select count(*) from registry r where organisation_id = $1 and kind = $2 and `+notRemoved, organisationID, kind).Scan(&n)
	return n, err
}

// AssetOwnerLock returns an organisation and has others wait who add assets to it.
func AssetOwnerLock(ctx context.Context, q db.Querier, organisationID int64) (models.AssetOwner, error) {
	return one[models.AssetOwner](ctx, q, `
		select id as organisation_id, name, sandbox from organisations where id = $1 for no key update`, organisationID)
}

// BusinessIDGet returns the oldest business of an organisation.
func BusinessIDGet(ctx context.Context, q db.Querier, organisationID int64) (id int64, err error) {
	err = q.QueryRow(ctx, `select id from businesses where organisation_id = $1 order by created_at, id limit 1`, organisationID).Scan(&id)
	return id, err
}

// AccountIDGetOwned returns the id of an account if the organisation has it. Of 0 it
// returns the id of its oldest account.
func AccountIDGetOwned(ctx context.Context, q db.Querier, organisationID, id int64) (found int64, err error) {
	err = q.QueryRow(ctx, `
		select id from business_accounts where organisation_id = $1 and $2::bigint in (0, id) and removed_at is null order by created_at, id limit 1`, organisationID, id).Scan(&found)
	return found, err
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
	return many[models.NamedAsset](ctx, q, `
		select id, name, created_at from `+table+` where organisation_id = $1 and `+condition+` order by created_at, id`, organisationID)
}

// BusinessInsert adds a business under an id taken from the registry.
func BusinessInsert(ctx context.Context, q db.Querier, id, organisationID int64, name string) error {
	_, err := q.Exec(ctx, `insert into businesses (id, organisation_id, name) values ($1, $2, $3)`, id, organisationID, name)
	return err
}

// BusinessAccountInsert adds an account, billed in rupees and on Indian time,
// to a business of the organisation.
func BusinessAccountInsert(ctx context.Context, q db.Querier, id, businessID int64, name, namespace string) error {
	_, err := q.Exec(ctx, `
		insert into business_accounts (id, organisation_id, business_id, name, currency, timezone_id, message_template_namespace)
		select $1, organisation_id, id, $3, 'INR', '71', $4 from businesses where id = $2`, id, businessID, name, namespace)
	return err
}

// CatalogueInsert adds a catalogue to a business.
func CatalogueInsert(ctx context.Context, q db.Querier, id, businessID int64, name string) error {
	_, err := q.Exec(ctx, `
		insert into catalogues (id, organisation_id, business_id, name)
		select $1, organisation_id, id, $3 from businesses where id = $2`, id, businessID, name)
	return err
}

// PhoneNumberInsert adds a number; BusinessID and OrganisationID follow from
// the account.
func PhoneNumberInsert(ctx context.Context, q db.Querier, p models.PhoneNumber) error {
	_, err := q.Exec(ctx, `
		insert into phone_numbers (id, organisation_id, business_account_id, number, verified_name, webhook_secret)
		select $1, organisation_id, id, $3, $4, $5 from business_accounts where id = $2`,
		p.ID, p.BusinessAccountID, p.Number, p.VerifiedName, p.WebhookSecret)
	return err
}

// PhoneNumberUpdateSecret changes the signing secret of a number, both sealed.
// The previous one, nil for none, signs beside it until a time. The change is
// made only while current is the secret; the result says whether it was.
func PhoneNumberUpdateSecret(ctx context.Context, q db.Querier, p models.PhoneNumber, current []byte) (bool, error) {
	tag, err := q.Exec(ctx, `
		update phone_numbers set webhook_secret = $3, previous_webhook_secret = $4, previous_secret_until = $5
		where id = $1 and webhook_secret = $2`, p.ID, current, p.WebhookSecret, p.PreviousSecret, p.PreviousSecretUntil)
	return tag.RowsAffected() == 1, err
}

const phoneNumberColumns = `p.id, p.organisation_id, p.business_account_id, a.business_id, o.sandbox, p.number, p.verified_name, p.webhook_secret`

// PhoneNumberGet returns the number with the id, whoever owns it, unless it was
// removed.
func PhoneNumberGet(ctx context.Context, q db.Querier, id int64) (models.PhoneNumber, error) {
	return oneLax[models.PhoneNumber](ctx, q, `
		select `+phoneNumberColumns+` from phone_numbers p join business_accounts a on a.id = p.business_account_id join organisations o on o.id = p.organisation_id
		where p.id = $1 and p.removed_at is null`, id)
}

// PhoneNumberList returns an organisation's numbers, oldest first.
func PhoneNumberList(ctx context.Context, q db.Querier, organisationID int64) ([]models.PhoneNumber, error) {
	return manyLax[models.PhoneNumber](ctx, q, `
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
	numbers, err := manyLax[models.PhoneNumber](ctx, q, `
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
	return manyLax[models.PhoneNumber](ctx, q, `
		select p.id, p.organisation_id, p.business_account_id, p.number, o.sandbox
		from phone_numbers p join organisations o on o.id = p.organisation_id where p.id = any($1)`, ids)
}
