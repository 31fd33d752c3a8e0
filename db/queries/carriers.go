package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// CarrierRouteGet returns the carrier of the most specific route of a sender: of
// the sender and the organisation, the sender, the organisation, or the channel.
// Carriers that are disabled have no routes.
func CarrierRouteGet(ctx context.Context, q db.Querier, organisationID int64, channel, sender string) (models.CarrierRoute, error) {
	return one[models.CarrierRoute](ctx, q, `
		select o.sandbox, coalesce(c.name, '') as name, coalesce(c.kind, '') as kind, coalesce(c.url, '') as url, c.settings, c.secret,
		       coalesce(c.updated_at, 'epoch') as updated_at, c.disabled_at
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
			secret = coalesce(excluded.secret, c.secret), updated_at = now()`, c.Name, c.Kind, c.URL, c.Settings, c.Secret)
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

// CarrierInboundRenewals returns how often the inbound address of a carrier was renewed.
// An unknown carrier has the first address.
func CarrierInboundRenewals(ctx context.Context, q db.Querier, name string) (renewals int, err error) {
	err = q.QueryRow(ctx, `select coalesce((select inbound_renewals from carriers where name = $1), 0)`, name).Scan(&renewals)
	return renewals, err
}

// CarrierInboundRenew counts a renewal of the inbound address of a carrier, and reports
// whether the carrier exists.
func CarrierInboundRenew(ctx context.Context, q db.Querier, name string) (bool, error) {
	tag, err := q.Exec(ctx, `update carriers set inbound_renewals = inbound_renewals + 1, updated_at = now() where name = $1`, name)
	return tag.RowsAffected() == 1, err
}

// CarrierGet returns a carrier.
func CarrierGet(ctx context.Context, q db.Querier, name string) (models.Carrier, error) {
	return one[models.Carrier](ctx, q, `select name, kind, url, settings, secret, updated_at, disabled_at from carriers where name = $1`, name)
}

// CarrierUpdateDisabled disables or enables a carrier, and reports whether it
// exists.
func CarrierUpdateDisabled(ctx context.Context, q db.Querier, name string, disabled bool) (bool, error) {
	tag, err := q.Exec(ctx, `update carriers set disabled_at = case when $2 then coalesce(disabled_at, now()) end, updated_at = now() where name = $1`, name, disabled)
	return tag.RowsAffected() == 1, err
}

// CarrierMinuteAdd adds counts to the current minute of a carrier.
func CarrierMinuteAdd(ctx context.Context, q db.Querier, m models.CarrierMinute) error {
	_, err := q.Exec(ctx, `
		insert into carrier_minutes as c (carrier, minute, taken, refused, delayed, error)
		values ($1, date_trunc('minute', now()), $2, $3, $4, left($5, 500))
		on conflict (carrier, minute) do update set taken = c.taken + excluded.taken, refused = c.refused + excluded.refused,
			delayed = c.delayed + excluded.delayed, error = coalesce(nullif(excluded.error, ''), c.error)`, m.Carrier, m.Taken, m.Refused, m.Delayed, m.Error)
	return err
}

// CarrierMinuteDelete deletes counts that are older than age.
func CarrierMinuteDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	_, err := q.Exec(ctx, `delete from carrier_minutes where minute < now() - $1::interval`, age)
	return err
}

// CarrierHealthList returns what carriers did within a window until now.
func CarrierHealthList(ctx context.Context, q db.Querier, window time.Duration) ([]models.CarrierHealth, error) {
	return many[models.CarrierHealth](ctx, q, `
		select carrier, sum(taken)::int as taken, sum(refused)::int as refused, sum(delayed)::int as delayed,
		       coalesce((array_agg(error order by minute desc) filter (where error <> ''))[1], '') as error,
		       max(minute) filter (where error <> '') as error_at,
		       coalesce(max(taken) filter (where minute = date_trunc('minute', now()) - interval '1 minute'), 0) as per_minute
		from carrier_minutes where minute > now() - $1::interval group by carrier`, window)
}

// CarrierList returns all carriers by name, without their secrets.
func CarrierList(ctx context.Context, q db.Querier) ([]models.Carrier, error) {
	return manyLax[models.Carrier](ctx, q, `select name, kind, url, settings, updated_at, disabled_at from carriers order by name`)
}

// CarrierRouteList returns all routes.
func CarrierRouteList(ctx context.Context, q db.Querier) ([]models.CarrierRule, error) {
	return many[models.CarrierRule](ctx, q, `
		select r.channel, r.sender, r.organisation_id, c.name as carrier from carrier_routes r join carriers c on c.id = r.carrier_id
		order by r.channel, r.sender, r.organisation_id`)
}

// failingCarriers are the carriers that took nothing in the last minute in which they
// were called, or in which their upstream posted something that was refused. Messages
// that only had to slow down do not count.
const failingCarriers = `
	select c.name as carrier, m.error
	from carriers c cross join lateral (
		select taken, error from carrier_minutes
		where carrier = c.name and minute > now() - interval '1 hour' and taken + delayed > 0 order by minute desc limit 1
	) m
	where c.disabled_at is null and m.taken = 0 and m.error !~ '^carrier: (130429|131056) ' order by c.name limit 20`
