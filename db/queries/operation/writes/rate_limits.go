package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// RateLimitTake asks for one cell of a key under the generic cell rate
// algorithm: a burst of cells at once, then one every period/burst. It
// returns zero when the cell was given, else how long to wait for the next.
//
// It is one statement, so that processes share the limit, and it does not wait
// for the disk: a crash may lose the last half second of counting.
func RateLimitTake(ctx context.Context, q db.Querier, key string, burst int, period time.Duration) (time.Duration, error) {
	return collect.Value[time.Duration](ctx, q, `
		with setting as materialized (select set_config('synchronous_commit', 'off', true)),
		taken as (
			insert into rate_limits as r (key, tat) select $1, now() + $2::interval from setting
			on conflict (key) do update set tat = greatest(r.tat, now()) + $2::interval
			where greatest(r.tat, now()) + $2::interval <= now() + $3::interval
			returning true
		)
		select case when exists (select from taken) then interval '0'
			else greatest(coalesce((select tat from rate_limits where key = $1), now()) + $2::interval - now() - $3::interval, interval '1 millisecond')
			end`, key, period/time.Duration(burst), period)
}

// RateLimitDelete drops cells that have been full again for a day and returns
// how many.
func RateLimitDelete(ctx context.Context, q db.Querier) (int64, error) {
	return collect.Count(ctx, q, `delete from rate_limits where tat < now() - interval '1 day'`)
}
