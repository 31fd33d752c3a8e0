package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// UpstreamStateUpsert stores what an upstream says about a number or an account now.
func UpstreamStateUpsert(ctx context.Context, q db.Querier, s models.UpstreamState) error {
	return collect.Execute(ctx, q, `
		insert into upstream_states as u (carrier, kind, asset_id, upstream_id, state, quality, problem)
		values ($1, $2, $3, $4, left($5, 40), left($6, 40), left($7, 500))
		on conflict (carrier, kind, asset_id) do update
		set upstream_id = excluded.upstream_id, state = excluded.state, quality = excluded.quality, problem = excluded.problem, read_at = now(),
			since = case when (u.problem = '') = (excluded.problem = '') then u.since else now() end`,
		s.Carrier, s.Kind, s.AssetID, s.UpstreamID, s.State, s.Quality, s.Problem)
}

// UpstreamStateDelete deletes what is known of the assets of a carrier that are not
// among the ones named, each by its kind and id.
func UpstreamStateDelete(ctx context.Context, q db.Querier, carrier string, kinds []string, ids []int64) error {
	return collect.Execute(ctx, q, `
		delete from upstream_states where carrier = $1 and (kind, asset_id) not in (select * from unnest($2::text[], $3::bigint[]))`, carrier, kinds, ids)
}

// UpstreamStateSweep deletes what is known at carriers that are gone or disabled.
func UpstreamStateSweep(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `delete from upstream_states u where not exists (select from carriers c where c.name = u.carrier and c.kind = 'graph' and c.disabled_at is null)`)
}
