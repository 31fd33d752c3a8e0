package queries

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// UsageList returns what an organisation sent from a day on, by day and
// channel, and until when it was counted: messages accepted later are counted
// here and now.
func UsageList(ctx context.Context, q db.Querier, organisationID int64, from time.Time) (usage []models.Usage, until time.Time, err error) {
	if err := q.QueryRow(ctx, `select counted_until from usage_clock`).Scan(&until); err != nil {
		return nil, until, err
	}
	since := until
	if since.Before(from) {
		since = from
	}
	usage, err = many[models.Usage](ctx, q, `
		select day::timestamptz, channel, sum(messages)::int as messages, sum(delivered)::int as delivered, sum(failed)::int as failed from (
			select day, channel, messages, delivered, failed from usage_days where organisation_id = $1 and day >= $2
			union all
			select (created_at at time zone 'UTC')::date, channel, count(*), count(*) filter (where state in ('delivered', 'read')), count(*) filter (where state in `+failingStates+`)
			from messages where organisation_id = $1 and id >= $3 and created_at >= $4
			group by 1, 2
		) u group by day, channel order by day, channel`,
		organisationID, from, firstMessageID(since.Add(-time.Minute)), since)
	return usage, until, err
}

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
		       count(*) filter (where state in ('delivered', 'read')), count(*) filter (where state in `+failingStates+`)
		from messages where id >= $1 and id < $2 and created_at >= $3 and created_at < $4
		group by 1, 2, 3
		on conflict (organisation_id, day, channel) do update
		set messages = excluded.messages, delivered = excluded.delivered, failed = excluded.failed`,
		firstMessageID(from.Add(-time.Minute)), firstMessageID(until.Add(time.Minute)), from, until)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `update usage_clock set counted_until = greatest(counted_until, $1)`, until)
	return err
}
