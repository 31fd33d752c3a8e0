package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// CarrierRouteGet returns the carrier of the most specific route of a sender: of
// the sender and the organisation, the sender, the organisation, or the channel.
// Carriers that are disabled have no routes.
func CarrierRouteGet(ctx context.Context, q db.Querier, organisationID int64, channel, sender string) (models.CarrierRoute, error) {
	return one[models.CarrierRoute](ctx, q, `
		select o.sandbox, coalesce(c.name, '') as name, coalesce(c.kind, '') as kind, coalesce(c.url, '') as url, c.settings, c.secret,
		       coalesce(c.updated_at, 'epoch') as updated_at
		from organisations o left join lateral (
			select c.* from carrier_routes r join carriers c on c.id = r.carrier_id
			where r.channel = $2 and r.sender in ('', $3) and r.organisation_id in (0, o.id) and c.disabled_at is null
			order by r.sender desc, r.organisation_id desc limit 1
		) c on true
		where o.id = $1`, organisationID, channel, sender)
}

// CarrierUpsert stores a carrier. Without a secret the stored one stays.
func CarrierUpsert(ctx context.Context, q db.Querier, c models.Carrier) error {
	_, err := q.Exec(ctx, `
		insert into carriers as c (name, kind, url, settings, secret) values ($1, $2, $3, $4, $5)
		on conflict (name) do update set kind = excluded.kind, url = excluded.url, settings = excluded.settings,
			secret = coalesce(excluded.secret, c.secret), disabled_at = null, updated_at = now()`, c.Name, c.Kind, c.URL, c.Settings, c.Secret)
	return err
}

// CarrierDelete deletes a carrier with its routes, and reports whether it
// existed.
func CarrierDelete(ctx context.Context, q db.Querier, name string) (bool, error) {
	tag, err := q.Exec(ctx, `delete from carriers where name = $1`, name)
	return tag.RowsAffected() == 1, err
}

// CarrierRouteUpsert routes messages to a carrier, and reports whether it exists.
func CarrierRouteUpsert(ctx context.Context, q db.Querier, r models.CarrierRule) (bool, error) {
	tag, err := q.Exec(ctx, `
		insert into carrier_routes (channel, sender, organisation_id, carrier_id)
		select $1, $2, $3, id from carriers where name = $4
		on conflict (channel, sender, organisation_id) do update set carrier_id = excluded.carrier_id`, r.Channel, r.Sender, r.OrganisationID, r.Carrier)
	return tag.RowsAffected() == 1, err
}

// CarrierRouteDelete deletes a route, and reports whether it existed.
func CarrierRouteDelete(ctx context.Context, q db.Querier, r models.CarrierRule) (bool, error) {
	tag, err := q.Exec(ctx, `delete from carrier_routes where channel = $1 and sender = $2 and organisation_id = $3`, r.Channel, r.Sender, r.OrganisationID)
	return tag.RowsAffected() == 1, err
}

// CarrierList returns all carriers by name, without their secrets.
func CarrierList(ctx context.Context, q db.Querier) ([]models.Carrier, error) {
	return manyLax[models.Carrier](ctx, q, `select name, kind, url, settings, updated_at from carriers order by name`)
}

// CarrierRouteList returns all routes.
func CarrierRouteList(ctx context.Context, q db.Querier) ([]models.CarrierRule, error) {
	return many[models.CarrierRule](ctx, q, `
		select r.channel, r.sender, r.organisation_id, c.name as carrier from carrier_routes r join carriers c on c.id = r.carrier_id
		order by r.channel, r.sender, r.organisation_id`)
}
