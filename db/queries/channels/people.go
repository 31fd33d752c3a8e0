package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// IdentitiesOf lists the identities of a person at the organisation that $1 names: $2
// itself, and the ones that are known to mean the same.
const IdentitiesOf = `(select $2::text union all select i from messaging_identities_of($1, $2) i)`

// KnownPerson is a person by one identity at an organisation.
type KnownPerson struct {
	OrganisationID int64
	Identity       string
	models.Person
}

// PersonList returns the people that identities mean at organisations, of the same
// place in both lists. Identities that mean nobody known are left out.
func PersonList(ctx context.Context, q db.Querier, organisations []int64, identities []string) ([]KnownPerson, error) {
	return collect.Many[KnownPerson](ctx, q, `
		select k.organisation_id, k.identity,
			coalesce(max(o.identity) filter (where o.kind = 'user'), '') as user_id,
			coalesce(max(o.identity) filter (where o.kind = 'parent'), '') as parent_user_id,
			coalesce(max(o.identity) filter (where o.kind = 'number'), '') as number,
			coalesce(max(o.username) filter (where o.kind = 'user'), '') as username
		from (select distinct * from unnest($1::bigint[], $2::text[]) as g (organisation_id, identity)) g
		join messaging_identities k using (organisation_id, identity)
		join messaging_identities o on o.person = k.person and o.organisation_id = k.organisation_id and o.current
		group by k.organisation_id, k.identity`, organisations, identities)
}
