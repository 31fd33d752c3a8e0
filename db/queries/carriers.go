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
