package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// CarrierUpsert stores a carrier. Without a secret the stored one stays.
func CarrierUpsert(ctx context.Context, q db.Querier, c models.Carrier) error {
	return collect.Execute(ctx, q, `
		insert into carriers as c (name, kind, url, settings, secret) values ($1, $2, $3, $4, $5)
		on conflict (name) do update set kind = excluded.kind, url = excluded.url, settings = excluded.settings,
			secret = coalesce(excluded.secret, c.secret), updated_at = now()`, c.Name, c.Kind, c.URL, c.Settings, c.Secret)
}

// CarrierDelete deletes a carrier with its routes, and reports whether it
// existed.
func CarrierDelete(ctx context.Context, q db.Querier, name string) (bool, error) {
	return collect.Changed(ctx, q, `delete from carriers where name = $1`, name)
}

// CarrierRouteUpsert routes messages to a carrier, and reports whether it exists.
func CarrierRouteUpsert(ctx context.Context, q db.Querier, r models.CarrierRule) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into carrier_routes (channel, sender, organisation_id, carrier_id)
		select $1, $2, $3, id from carriers where name = $4
		on conflict (channel, sender, organisation_id) do update set carrier_id = excluded.carrier_id`, r.Channel, r.Sender, r.OrganisationID, r.Carrier)
}

// CarrierRouteDelete deletes a route, and reports whether it existed.
func CarrierRouteDelete(ctx context.Context, q db.Querier, r models.CarrierRule) (bool, error) {
	return collect.Changed(ctx, q, `delete from carrier_routes where channel = $1 and sender = $2 and organisation_id = $3`, r.Channel, r.Sender, r.OrganisationID)
}

// CarrierInboundRenew counts a renewal of the inbound address of a carrier, and reports
// whether the carrier exists.
func CarrierInboundRenew(ctx context.Context, q db.Querier, name string) (bool, error) {
	return collect.Changed(ctx, q, `update carriers set inbound_renewals = inbound_renewals + 1, updated_at = now() where name = $1`, name)
}

// CarrierUpdateDisabled disables or enables a carrier, and reports whether it
// exists.
func CarrierUpdateDisabled(ctx context.Context, q db.Querier, name string, disabled bool) (bool, error) {
	return collect.Changed(ctx, q, `update carriers set disabled_at = case when $2 then coalesce(disabled_at, now()) end, updated_at = now() where name = $1`, name, disabled)
}

// CarrierMinuteAdd adds counts to the current minute of a carrier.
func CarrierMinuteAdd(ctx context.Context, q db.Querier, m models.CarrierMinute) error {
	return collect.Execute(ctx, q, `
		insert into carrier_minutes as c (carrier, minute, taken, refused, delayed, error)
		values ($1, date_trunc('minute', now()), $2, $3, $4, left($5, 500))
		on conflict (carrier, minute) do update set taken = c.taken + excluded.taken, refused = c.refused + excluded.refused,
			delayed = c.delayed + excluded.delayed, error = coalesce(nullif(excluded.error, ''), c.error)`, m.Carrier, m.Taken, m.Refused, m.Delayed, m.Error)
}

// CarrierMinuteDelete deletes counts that are older than age.
func CarrierMinuteDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	return collect.Execute(ctx, q, `delete from carrier_minutes where minute < now() - $1::interval`, age)
}
