package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AssetGet returns a number, an account or a catalogue of an organisation that was
// not removed.
func AssetGet(ctx context.Context, q db.Querier, organisationID, id int64) (models.Asset, error) {
	return collect.One[models.Asset](ctx, q, `
		select id, 'phone_number' as kind, number as name from phone_numbers where id = $2 and organisation_id = $1 and removed_at is null
		union all select id, 'business_account', name from business_accounts where id = $2 and organisation_id = $1 and removed_at is null
		union all select id, 'catalogue', name from catalogues where id = $2 and organisation_id = $1`, organisationID, id)
}

// PhoneNumberUsesGet counts what depends on a number: messages and callbacks among the
// newest ones only.
func PhoneNumberUsesGet(ctx context.Context, q db.Querier, organisationID, id int64) (models.AssetUses, error) {
	return collect.OneLax[models.AssetUses](ctx, q, `
		select
			(select count(*) from (
				select channel, sender, state from messages where organisation_id = $1 order by created_at desc, id desc limit 20000
			) m where channel = 'messaging' and sender = $2::bigint::text and state = 'accepted') as messages,
			(select count(*) from (
				select from deliveries d join webhooks w on w.id = d.webhook_id
				where w.channel = 'messaging' and w.subject = $2::bigint::text and w.organisation_id = $1 and d.state = 'pending' limit 20000
			) d) as callbacks,
			(select count(*) from qr_codes where phone_number_id = $2) as codes,
			(select count(*) from media where phone_number_id = $2 and expires_at > now()) as media`, organisationID, id)
}

// AccountUsesGet counts what depends on an account.
func AccountUsesGet(ctx context.Context, q db.Querier, id int64) (models.AssetUses, error) {
	return collect.OneLax[models.AssetUses](ctx, q, `
		select
			(select count(*) from phone_numbers where business_account_id = $1 and removed_at is null) as numbers,
			(select count(*) from message_templates where business_account_id = $1 and status <> 'DELETED') as templates,
			(select count(*) from business_account_clients where business_account_id = $1) as shares`, id)
}

// CatalogueUsesGet counts what depends on a catalogue.
func CatalogueUsesGet(ctx context.Context, q db.Querier, id int64) (models.AssetUses, error) {
	return collect.OneLax[models.AssetUses](ctx, q, `select count(*) as products from products where catalogue_id = $1`, id)
}
