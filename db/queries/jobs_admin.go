package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// JobKinds returns the kinds of the jobs that there are, one look into the index
// for each.
func JobKinds(ctx context.Context, q db.Querier) ([]string, error) {
	rows, err := q.Query(ctx, `
		with recursive kinds as (
			(select kind from `+db.RiverSchema+`.river_job order by kind limit 1)
			union all
			select (select j.kind from `+db.RiverSchema+`.river_job j where j.kind > kinds.kind order by j.kind limit 1) from kinds where kinds.kind is not null
		) select kind from kinds where kind is not null`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// JobCounts returns how many jobs of each queue are in each state, completed
// ones aside, up to models.OverviewLimit in all.
func JobCounts(ctx context.Context, q db.Querier) ([]models.JobCount, error) {
	rows, err := q.Query(ctx, `
		select queue, state::text, count(*), min(scheduled_at)
		from (select queue, state, scheduled_at from `+db.RiverSchema+`.river_job where state <> 'completed' limit $1) j
		group by queue, state order by queue, state`, models.OverviewLimit+1)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[models.JobCount])
}
