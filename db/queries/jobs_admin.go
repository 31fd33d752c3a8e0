package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

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
