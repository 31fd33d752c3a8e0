package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// PhoneNumberUpdateRemoved removes a number. Its messages and callbacks still find it.
func PhoneNumberUpdateRemoved(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `update phone_numbers set removed_at = now() where id = $1`, id)
}

// AccountUpdateRemoved removes an account, its templates and its shares. Callbacks
// of its numbers still find it.
func AccountUpdateRemoved(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `
		with unshared as (
			delete from business_account_clients where business_account_id = $1
		), templates as (
			delete from registry where id in (select id from message_templates where business_account_id = $1)
		)
		update business_accounts set removed_at = now() where id = $1`, id)
}

// CatalogueDelete deletes a catalogue with its products.
func CatalogueDelete(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `delete from registry where id = $1 or id in (select id from products where catalogue_id = $1)`, id)
}

// AssetDeleteRemoved deletes numbers that were removed longer ago than keep, with
// what belongs to them, and removed accounts that have no more numbers.
func AssetDeleteRemoved(ctx context.Context, q db.Querier, keep time.Duration) error {
	_, err := q.Exec(ctx, `delete from registry where id in (select id from phone_numbers where removed_at < now() - $1::interval)`, keep)
	if err != nil {
		return err
	}
	return collect.Execute(ctx, q, `
		delete from registry where id in (
			select id from business_accounts a where removed_at < now() - $1::interval and not exists (select from phone_numbers where business_account_id = a.id))`, keep)
}
