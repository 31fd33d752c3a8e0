package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// DatabaseNow returns the time of the database.
func DatabaseNow(ctx context.Context, q db.Querier) (now time.Time, err error) {
	return collect.Value[time.Time](ctx, q, `select clock_timestamp()`)
}

// DatabaseHealthGet returns the state of the database itself.
func DatabaseHealthGet(ctx context.Context, q db.Querier) (models.DatabaseHealth, error) {
	return collect.One[models.DatabaseHealth](ctx, q, `
		select
			(`+parts.QueueNames+`) as queues,
			coalesce((`+parts.DeadJobRows+`), 0) as dead_job_rows,
			coalesce((select greatest(max(clock_timestamp() - xact_start), '0') from pg_stat_activity where datname = current_database()), '0') as oldest_transaction`)
}
