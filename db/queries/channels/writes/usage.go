package writes

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db/models"
	"heliograph/db/queries/parts"
)

// UsageCount counts the messages of all organisations that were accepted
// before until, by day and channel, from the day on where the last count ended
// and at least again days back, because messages change their state after they
// were counted.
func UsageCount(ctx context.Context, tx pgx.Tx, until time.Time, again int) error {
	var from time.Time
	err := tx.QueryRow(ctx, `
		select date_trunc('day', least(counted_until, $1::timestamptz - make_interval(days => $2)), 'UTC') from usage_clock for update`, until, again).Scan(&from)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		insert into usage_days (organisation_id, day, channel, messages, delivered, failed)
		select organisation_id, (created_at at time zone 'UTC')::date, channel, count(*),
		       count(*) filter (where state in ('delivered', 'read')), count(*) filter (where state in `+parts.FailingStates+`)
		from messages where id >= $1 and id < $2 and created_at >= $3 and created_at < $4
		group by 1, 2, 3
		on conflict (organisation_id, day, channel) do update
		set messages = excluded.messages, delivered = excluded.delivered, failed = excluded.failed`,
		models.FirstMessageID(from.Add(-time.Minute)), models.FirstMessageID(until.Add(time.Minute)), from, until)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `update usage_clock set counted_until = greatest(counted_until, $1)`, until)
	return err
}
