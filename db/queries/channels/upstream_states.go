package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const upstreamStateColumns = `carrier, kind, asset_id, upstream_id, state, quality, problem, since, read_at`

// UpstreamStateList returns up to limit numbers and accounts that live at upstreams, the
// ones with a problem first.
func UpstreamStateList(ctx context.Context, q db.Querier, limit int) ([]models.UpstreamState, error) {
	return collect.Many[models.UpstreamState](ctx, q, `
		select `+upstreamStateColumns+` from upstream_states order by (problem <> '') desc, carrier, kind, asset_id limit $1`, limit)
}

// UpstreamStateOfNumber returns what an upstream says about a number of ours. No row
// comes back for one that lives at none.
func UpstreamStateOfNumber(ctx context.Context, q db.Querier, id int64) (models.UpstreamState, error) {
	return collect.One[models.UpstreamState](ctx, q, `select `+upstreamStateColumns+` from upstream_states where kind = 'number' and asset_id = $1 limit 1`, id)
}

// UpstreamProblems are the numbers and accounts that upstreams hold back.
const UpstreamProblems = `select carrier, kind, asset_id, problem, since from upstream_states where problem <> '' order by since limit 20`
