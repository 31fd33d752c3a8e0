package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RegistryInsert takes an id for an asset of an organisation. A taken id is a
// unique violation: draw another.
func RegistryInsert(ctx context.Context, q db.Querier, id int64, kind string, organisationID int64) error {
	return collect.Execute(ctx, q, `insert into registry (id, kind, organisation_id) values ($1, $2, $3)`, id, kind, organisationID)
}

// RegistryInsertMany takes ids for assets of an organisation. A taken id is a
// unique violation: draw all of them again.
func RegistryInsertMany(ctx context.Context, q db.Querier, ids []int64, kind string, organisationID int64) error {
	return collect.Execute(ctx, q, `insert into registry (id, kind, organisation_id) select id, $2, $3 from unnest($1::bigint[]) id`, ids, kind, organisationID)
}

// RegistryDelete deletes ids and everything that they name.
func RegistryDelete(ctx context.Context, q db.Querier, ids []int64) error {
	return collect.Execute(ctx, q, `delete from registry where id = any($1)`, ids)
}

// AssetOwnerLock returns an organisation and has others wait who add assets to it.
func AssetOwnerLock(ctx context.Context, q db.Querier, organisationID int64) (models.AssetOwner, error) {
	return collect.One[models.AssetOwner](ctx, q, `
		select id as organisation_id, name, sandbox from organisations where id = $1 for no key update`, organisationID)
}

// BusinessInsert adds a business under an id taken from the registry.
func BusinessInsert(ctx context.Context, q db.Querier, id, organisationID int64, name string) error {
	return collect.Execute(ctx, q, `insert into businesses (id, organisation_id, name) values ($1, $2, $3)`, id, organisationID, name)
}

// BusinessAccountInsert adds an account, billed in rupees and on Indian time,
// to a business of the organisation.
func BusinessAccountInsert(ctx context.Context, q db.Querier, id, businessID int64, name, namespace string) error {
	return collect.Execute(ctx, q, `
		insert into business_accounts (id, organisation_id, business_id, name, currency, timezone_id, message_template_namespace)
		select $1, organisation_id, id, $3, 'INR', '71', $4 from businesses where id = $2`, id, businessID, name, namespace)
}

// CatalogueInsert adds a catalogue to a business.
func CatalogueInsert(ctx context.Context, q db.Querier, id, businessID int64, name string) error {
	return collect.Execute(ctx, q, `
		insert into catalogues (id, organisation_id, business_id, name)
		select $1, organisation_id, id, $3 from businesses where id = $2`, id, businessID, name)
}

// PhoneNumberInsert adds a number; BusinessID and OrganisationID follow from
// the account.
func PhoneNumberInsert(ctx context.Context, q db.Querier, p models.PhoneNumber) error {
	return collect.Execute(ctx, q, `
		insert into phone_numbers (id, organisation_id, business_account_id, number, verified_name, webhook_secret)
		select $1, organisation_id, id, $3, $4, $5 from business_accounts where id = $2`,
		p.ID, p.BusinessAccountID, p.Number, p.VerifiedName, p.WebhookSecret)
}

// PhoneNumberUpdateSecret changes the signing secret of a number, both sealed.
// The previous one, nil for none, signs beside it until a time. The change is
// made only while current is the secret; the result says whether it was.
func PhoneNumberUpdateSecret(ctx context.Context, q db.Querier, p models.PhoneNumber, current []byte) (bool, error) {
	return collect.Changed(ctx, q, `
		update phone_numbers set webhook_secret = $3, previous_webhook_secret = $4, previous_secret_until = $5
		where id = $1 and webhook_secret = $2`, p.ID, current, p.WebhookSecret, p.PreviousSecret, p.PreviousSecretUntil)
}
