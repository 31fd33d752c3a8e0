package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// CarrierRouteGet returns the carrier of the most specific route of a sender: of
// the sender and the organisation, the sender, the organisation, or the channel.
// Carriers that are disabled have no routes.
func CarrierRouteGet(ctx context.Context, q db.Querier, organisationID int64, channel, sender string) (models.CarrierRoute, error) {
	return collect.One[models.CarrierRoute](ctx, q, `
		select o.sandbox, coalesce(c.name, '') as name, coalesce(c.kind, '') as kind, coalesce(c.url, '') as url, c.settings, c.secret,
		       coalesce(c.updated_at, 'epoch') as updated_at, c.disabled_at
		from organisations o left join lateral (
			select c.* from carrier_routes r join carriers c on c.id = r.carrier_id
			where r.channel = $2 and r.sender in ('', $3) and r.organisation_id in (0, o.id) and c.disabled_at is null
			order by r.sender desc, r.organisation_id desc limit 1
		) c on true
		where o.id = $1`, organisationID, channel, sender)
}

// CarrierInboundRenewals returns how often the inbound address of a carrier was renewed.
// An unknown carrier has the first address.
func CarrierInboundRenewals(ctx context.Context, q db.Querier, name string) (renewals int, err error) {
	return collect.Value[int](ctx, q, `select coalesce((select inbound_renewals from carriers where name = $1), 0)`, name)
}

// CarrierGet returns a carrier.
func CarrierGet(ctx context.Context, q db.Querier, name string) (models.Carrier, error) {
	return collect.One[models.Carrier](ctx, q, `select name, kind, url, settings, secret, updated_at, disabled_at from carriers where name = $1`, name)
}

// CarrierHealthList returns what carriers did within a window until now.
func CarrierHealthList(ctx context.Context, q db.Querier, window time.Duration) ([]models.CarrierHealth, error) {
	return collect.Many[models.CarrierHealth](ctx, q, `
		select carrier, sum(taken)::int as taken, sum(refused)::int as refused, sum(delayed)::int as delayed,
		       coalesce((array_agg(error order by minute desc) filter (where error <> ''))[1], '') as error,
		       max(minute) filter (where error <> '') as error_at,
		       coalesce(max(taken) filter (where minute = date_trunc('minute', now()) - interval '1 minute'), 0) as per_minute
		from carrier_minutes where minute > now() - $1::interval group by carrier`, window)
}

// CarrierList returns all carriers by name, without their secrets.
func CarrierList(ctx context.Context, q db.Querier) ([]models.Carrier, error) {
	return collect.ManyLax[models.Carrier](ctx, q, `select name, kind, url, settings, updated_at, disabled_at from carriers order by name`)
}

// CarrierRouteList returns all routes.
func CarrierRouteList(ctx context.Context, q db.Querier) ([]models.CarrierRule, error) {
	return collect.Many[models.CarrierRule](ctx, q, `
		select r.channel, r.sender, r.organisation_id, c.name as carrier from carrier_routes r join carriers c on c.id = r.carrier_id
		order by r.channel, r.sender, r.organisation_id`)
}

// FailingCarriers are the carriers that took nothing in the last minute in which they
// were called, or in which their upstream posted something that was refused. Messages
// that only had to slow down do not count.
const FailingCarriers = `
	select c.name as carrier, m.error
	from carriers c cross join lateral (
		select taken, error from carrier_minutes
		where carrier = c.name and minute > now() - interval '1 hour' and taken + delayed > 0 order by minute desc limit 1
	) m
	where c.disabled_at is null and m.taken = 0 and m.error !~ '^carrier: (130429|131056) ' order by c.name limit 20`
