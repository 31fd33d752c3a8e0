package queries

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
)

// identitiesOf lists the identities of a person at the organisation that $1 names: $2
// itself, and the ones that are known to mean the same.
const identitiesOf = `(select $2::text union all select i from messaging_identities_of($1, $2) i)`

// PersonLink stores that identities mean the same person at an organisation. previous
// are the ones that they replace. An identity that another person had goes over to this
// one, and a person has one number at a time.
func PersonLink(ctx context.Context, q db.Querier, organisationID int64, p models.Person, previous ...string) error {
	rows := p.Identities()
	for _, identity := range previous {
		if identity != "" && !slices.ContainsFunc(rows, func(r models.Identity) bool { return r.Text == identity }) {
			rows = append(rows, models.NewIdentity(identity))
		}
	}
	_, err := q.Exec(ctx, `
		with given as (
			select * from unnest($2::text[], $3::text[], $4::text[], $5::boolean[]) as g (identity, kind, username, current)
		), known as (
			select coalesce((
				select m.person from messaging_identities m join given g using (identity)
				where m.organisation_id = $1 and (g.kind <> 'number' or not g.current) order by g.current, g.kind desc limit 1), $6::uuid) as person
		), stored as (
			insert into messaging_identities as m (organisation_id, identity, kind, person, current, username)
			select $1, g.identity, g.kind, known.person, g.current, g.username from given g, known order by g.identity
			on conflict (organisation_id, identity) do update
			set person = excluded.person, current = excluded.current, username = case when excluded.username = '' then m.username else excluded.username end, seen_at = now()
			where (m.person, m.current) <> (excluded.person, excluded.current) or excluded.username not in ('', m.username) or m.seen_at < now() - interval '12 hours'
			returning m.kind, m.current
		)
		update messaging_identities m set current = false from known
		where m.organisation_id = $1 and m.person = known.person and m.kind = 'number' and m.current and m.identity not in (select identity from given)
		  and exists (select from stored where kind = 'number' or not current)`,
		organisationID,
		column(rows, func(r *models.Identity) string { return r.Text }),
		column(rows, func(r *models.Identity) string { return r.Kind }),
		column(rows, func(r *models.Identity) string { return r.Username }),
		column(rows, func(r *models.Identity) bool { return r.Current }),
		uuid.New())
	return err
}

// KnownPerson is a person by one identity at an organisation.
type KnownPerson struct {
	OrganisationID int64
	Identity       string
	models.Person
}

// PersonList returns the people that identities mean at organisations, of the same
// place in both lists. Identities that mean nobody known are left out.
func PersonList(ctx context.Context, q db.Querier, organisations []int64, identities []string) ([]KnownPerson, error) {
	return many[KnownPerson](ctx, q, `
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

// IdentityDeleteOld deletes up to limit identities of an organisation that were last
// seen before a time. It keeps the ones of people on a do-not-contact list, which
// protects them under each.
func IdentityDeleteOld(ctx context.Context, q db.Querier, organisationID int64, before time.Time, limit int) (int64, error) {
	tag, err := q.Exec(ctx, `
		delete from messaging_identities where (organisation_id, identity) in (
			select i.organisation_id, i.identity from messaging_identities i
			where i.organisation_id = $1 and i.seen_at < $2 and not exists (
				select from messaging_identities o join suppressions s on s.recipient = o.identity and s.organisation_id in (0, o.organisation_id)
				where o.person = i.person)
			limit $3)`,
		organisationID, before, limit)
	return tag.RowsAffected(), err
}
