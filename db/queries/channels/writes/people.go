package writes

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

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
	return collect.Execute(ctx, q, `
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
}
