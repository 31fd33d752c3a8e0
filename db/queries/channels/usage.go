package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
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
	usage, err = collect.Many[models.Usage](ctx, q, `
		select day::timestamptz, channel, sum(messages)::int as messages, sum(delivered)::int as delivered, sum(failed)::int as failed from (
			select day, channel, messages, delivered, failed from usage_days where organisation_id = $1 and day >= $2
			union all
			select (created_at at time zone 'UTC')::date, channel, count(*), count(*) filter (where state in ('delivered', 'read')), count(*) filter (where state in `+parts.FailingStates+`)
			from messages where organisation_id = $1 and id >= $3 and created_at >= $4
			group by 1, 2
		) u group by day, channel order by day, channel`,
		organisationID, from, models.FirstMessageID(since.Add(-time.Minute)), since)
	return usage, until, err
}
