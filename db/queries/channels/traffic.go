package queries

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/parts"
)

// mostReasons is how many reasons are listed, and mostFailures how many failed messages
// are looked at for them.
const (
	mostReasons  = 5
	mostFailures = 2000
)

// TrafficGet returns what an organisation sent from a day (UTC) on, and why messages and
// requests of it failed, in one round trip.
func TrafficGet(ctx context.Context, q db.Querier, organisationID int64, from time.Time) (t models.Traffic, err error) {
	batch := &pgx.Batch{}
	batch.Queue(`
		with clock as materialized (select greatest(counted_until, $2::timestamptz) as since from usage_clock)
		select day::timestamptz, channel, sum(messages)::int as messages, sum(delivered)::int as delivered, sum(failed)::int as failed from (
			select day, channel, messages, delivered, failed from usage_days where organisation_id = $1 and day >= $2::timestamptz
			union all
			select (created_at at time zone 'UTC')::date, channel, count(*), count(*) filter (where state in ('delivered', 'read')), count(*) filter (where state in `+parts.FailingStates+`)
			from messages where organisation_id = $1 and created_at >= (select since from clock)
			group by 1, 2
		) u group by day, channel order by day, channel`, organisationID, from).Query(scanInto(&t.Usage))
	batch.Queue(`
		select m.channel, coalesce((e.failure ->> 'code')::int, 0) as code, coalesce(e.failure ->> 'title', '') as title, count(*)::int as count from (
			select message_id, failure from message_events
			where state in `+parts.FailingStates+` and organisation_id = $1 and message_id >= $2 order by message_id desc limit $3
		) e join messages m on m.id = e.message_id
		where m.state in `+parts.FailingStates+`
		group by 1, 2, 3 order by count(*) desc, 1, 2, 3 limit $4`, organisationID, models.FirstMessageID(from), mostFailures, mostReasons).Query(scanInto(&t.Failures))
	batch.Queue(refusedByCode, organisationID, from, mostReasons).Query(scanInto(&t.Refused))
	batch.Queue(refusedCount, organisationID, from).QueryRow(func(row pgx.Row) error { return row.Scan(&t.RefusedCount) })
	batch.Queue(`select coalesce((select bytes from uploaded_bytes where organisation_id = $1 and day = (now() at time zone 'UTC')::date), 0)`, organisationID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&t.UploadedBytes) })
	batch.Queue(storedBytes, organisationID).QueryRow(func(row pgx.Row) error { return row.Scan(&t.StoredBytes) })
	return t, q.SendBatch(ctx, batch).Close()
}

// TrafficGetAll is TrafficGet for all organisations, as jobs count it every quarter of an
// hour. It returns no files.
func TrafficGetAll(ctx context.Context, q db.Querier, from time.Time) (t models.Traffic, err error) {
	batch := &pgx.Batch{}
	batch.Queue(`
		select day::timestamptz, channel, sum(messages)::int as messages, sum(delivered)::int as delivered, sum(failed)::int as failed
		from usage_days where day >= $1::timestamptz group by day, channel order by day, channel`, from).Query(scanInto(&t.Usage))
	batch.Queue(`
		select name as channel, case when detail ~ '^[0-9]{1,9}$' then detail::int else 0 end as code, '' as title, sum(count)::int as count
		from insight_days where what = 'failure' and day >= $1::timestamptz group by 1, 2 order by sum(count) desc, 1, 2 limit $2`, from, mostReasons).Query(scanInto(&t.Failures))
	batch.Queue(refusedByCode, 0, from, mostReasons).Query(scanInto(&t.Refused))
	batch.Queue(refusedCount, 0, from).QueryRow(func(row pgx.Row) error { return row.Scan(&t.RefusedCount) })
	return t, q.SendBatch(ctx, batch).Close()
}

// refusedByCode counts the refused calls of an organisation, or with 0 of all, by code.
const refusedByCode = `
	select channel, code, sum(repeats)::int as repeats, max(at) as at from refused_calls
	where ($1::bigint = 0 or organisation_id = $1) and at >= $2 group by channel, code order by sum(repeats) desc, channel, code limit $3`

const refusedCount = `select coalesce(sum(repeats), 0)::int from refused_calls where ($1::bigint = 0 or organisation_id = $1) and at >= $2`

// scanInto collects the rows of a statement of a batch, which may fill only some fields.
func scanInto[T any](to *[]T) func(rows pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*to, err = pgx.CollectRows(rows, pgx.RowToStructByNameLax[T])
		return err
	}
}
