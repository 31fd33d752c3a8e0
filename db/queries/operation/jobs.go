package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// JobReleases reports whether a job moves the line of a webhook on.
func JobReleases(ctx context.Context, q db.Querier, webhookID int64) (found bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (select from `+parts.Jobs+` where kind = 'release_callbacks' and `+parts.LiveStates+` and (args->>'webhook_id')::bigint = $1)`,
		webhookID)
}

// JobKinds returns the kinds of all jobs. It looks each kind up in the index,
// so that the number of jobs does not matter.
func JobKinds(ctx context.Context, q db.Querier) ([]string, error) {
	return collect.Values[string](ctx, q, `
		with recursive kinds as (
			(select kind from `+parts.Jobs+` order by kind limit 1)
			union all
			select (select j.kind from `+parts.Jobs+` j where j.kind > kinds.kind order by j.kind limit 1) from kinds where kinds.kind is not null
		) select kind from kinds where kind is not null`)
}

// JobCounts returns how many jobs of each queue are in each state, without the
// completed ones, up to models.OverviewLimit in all.
func JobCounts(ctx context.Context, q db.Querier) ([]models.JobCount, error) {
	return collect.Many[models.JobCount](ctx, q, `
		select queue, state::text, count(*) as jobs, min(scheduled_at) as oldest
		from (select queue, state, scheduled_at from `+parts.Jobs+` where state <> 'completed' limit $1) j
		group by queue, state order by queue, state`, models.OverviewLimit+1)
}

// JobListFailed returns up to limit jobs below an id that were discarded or wait
// after a failed attempt, the newest first. An empty kind means every kind.
func JobListFailed(ctx context.Context, q db.Querier, kind string, before int64, limit int) ([]models.FailedJob, error) {
	return collect.Many[models.FailedJob](ctx, q, `
		select id, kind, coalesce(errors[cardinality(errors)]->>'error', '') as error from `+parts.Jobs+`
		where state in ('retryable', 'discarded') and ($1 = '' or kind = $1) and id < $2 order by id desc limit $3`, kind, before, limit)
}
