package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// This file alone names River's tables. What it writes there is held equal to
// River's own functions by river_test.go, so that an upgrade of River that
// changes them fails a test.
const (
	riverJobs   = db.RiverSchema + ".river_job"
	riverQueues = db.RiverSchema + ".river_queue"
)

// Inserting jobs into a queue ($22) for the messages of the query stored, and the
// notification that wakes the workers, unless $26: what a client of River does in InsertTx. Up
// to 20 messages that are due at the same time share a job of kind $23; a lone one
// has a job of kind $21. Columns that are not named have River's defaults. The
// attempts are args.Forever.
const (
	insertMessageJobs = `
		insert into ` + riverJobs + ` (args, kind, queue, max_attempts, state, scheduled_at)
		select case when count(*) = 1 then jsonb_build_object('message_id', min(id::text)) else jsonb_build_object('message_ids', jsonb_agg(id order by id)) end,
		       case when count(*) = 1 then @job_kind else @job_many end, @job_queue, 32767,
		       case when scheduled_at is null then 'available' else 'scheduled' end::` + db.RiverSchema + `.river_job_state, coalesce(scheduled_at, now())
		from (select id, scheduled_at, (row_number() over (partition by scheduled_at order by id) - 1) / 20 as batch from stored) s
		group by scheduled_at, batch`
	notifyJobInsert = `(select case when not @job_silent::bool then pg_notify('` + db.RiverSchema + `.river_insert', json_build_object('queue', @job_queue::text)::text)::text end as notified) n`
)

// JobWake notifies the workers of jobs that were inserted into a queue, as a client of
// River does. It does not wait for the disk: the notification is of use to a running
// database only.
func JobWake(ctx context.Context, q db.Querier, queue string) error {
	_, err := q.Exec(ctx, `
		select set_config('synchronous_commit', 'off', true), pg_notify('`+db.RiverSchema+`.river_insert', json_build_object('queue', $1::text)::text)`, queue)
	return err
}

// Parts of the statements about the whole system; $2 bounds what is counted.
const (
	countDiscardedJobs = `select count(*) from (select from ` + riverJobs + ` where state = 'discarded' limit $2) d`
	countFailingJobs   = `select count(*) from (select from ` + riverJobs + ` where state = 'retryable' and attempt >= 5 limit $2) f`
	pausedQueueNames   = `select coalesce(array_agg(name order by name), '{}') from ` + riverQueues + ` where paused_at is not null`
	queueNames         = `select coalesce(array_agg(name order by name), '{}') from ` + riverQueues
	queueBacklogs      = `
		select queue as name, count(*) as waiting, min(scheduled_at) as oldest
		from (select queue, scheduled_at from ` + riverJobs + ` where state = 'available' and scheduled_at <= now() limit $1) j
		group by queue order by queue`
	deadJobRows = `select n_dead_tup from pg_stat_user_tables where schemaname = '` + db.RiverSchema + `' and relname = 'river_job'`
)

// What jobs will still work on, by its id in their payload, and the challenges
// with a job that has made a code or decided against one, or will.
const (
	liveStates   = `state in ('available', 'pending', 'retryable', 'running', 'scheduled')`
	liveMessages = `
		select (args->>'message_id')::uuid as id from ` + riverJobs + ` where kind = 'carry_message' and ` + liveStates + `
		union
		select jsonb_array_elements_text(args->'message_ids')::uuid from ` + riverJobs + ` where kind = 'carry_messages' and ` + liveStates + ``
	liveDeliveries    = `select distinct (args->>'delivery_id')::bigint as id from ` + riverJobs + ` where kind = 'relay_callback' and ` + liveStates
	liveNotifications = `select distinct (args->>'notification_id')::uuid as id from ` + riverJobs + ` where kind in ('send_sms', 'send_email') and ` + liveStates
	liveContacts      = `select distinct (args->>'enquiry_id')::uuid as id from ` + riverJobs + ` where kind = 'deliver_contact' and ` + liveStates
	decidedChallenges = `select (args->>'challenge_id')::uuid as id from ` + riverJobs + ` where kind = 'send_code' and state <> 'discarded'`
)

// JobInsertCheck inserts a job of a kind for a change set, unless one waits to run:
// what a client of River does in InsertTx. Checks of one change set are inserted
// under the lock of its product.
func JobInsertCheck(ctx context.Context, q db.Querier, kind, queue string, changeSetID int64) error {
	_, err := q.Exec(ctx, `
		with inserted as (
			insert into `+riverJobs+` (args, kind, queue, max_attempts, state)
			select jsonb_build_object('change_set_id', $3::bigint), $1, $2, 32767, 'available'
			where not exists (select from `+riverJobs+` where kind = $1 and state = 'available' and (args->>'change_set_id')::bigint = $3)
			returning id
		)
		select pg_notify('`+db.RiverSchema+`.river_insert', json_build_object('queue', $2::text)::text) from inserted`, kind, queue, changeSetID)
	return err
}

// JobReleases reports whether a job moves the line of a webhook on.
func JobReleases(ctx context.Context, q db.Querier, webhookID int64) (found bool, err error) {
	err = q.QueryRow(ctx, `
		select exists (select from `+riverJobs+` where kind = 'release_callbacks' and `+liveStates+` and (args->>'webhook_id')::bigint = $1)`,
		webhookID).Scan(&found)
	return found, err
}

// JobTrimErrors shortens the lists of errors of jobs that failed often to the
// first, which tells since when a job fails, and the last ones.
func JobTrimErrors(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `
		update `+riverJobs+` set errors = errors[1:1] || errors[cardinality(errors) - 18:]
		where state = 'retryable' and cardinality(errors) > 40`)
	return err
}

// JobUpdateCompleted completes jobs in the transaction of their effect, as
// river.JobCompleteTx does for one, and returns the ids of those that it completed.
// A job that is not running any more, because it was cancelled or rescued meanwhile,
// keeps its state. One that was rescued and runs a second time is completed: both
// runs have the same effect, which is done now. The state is compared as text, so that
// the jobs are found by id: without statistics the database would rather read all
// that run.
func JobUpdateCompleted(ctx context.Context, q db.Querier, ids []int64) ([]int64, error) {
	rows, err := q.Query(ctx, `update `+riverJobs+` set state = 'completed', finalized_at = now() where id = any($1) and state::text = 'running' returning id`, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// JobKinds returns the kinds of all jobs. It looks each kind up in the index,
// so that the number of jobs does not matter.
func JobKinds(ctx context.Context, q db.Querier) ([]string, error) {
	return values[string](ctx, q, `
		with recursive kinds as (
			(select kind from `+riverJobs+` order by kind limit 1)
			union all
			select (select j.kind from `+riverJobs+` j where j.kind > kinds.kind order by j.kind limit 1) from kinds where kinds.kind is not null
		) select kind from kinds where kind is not null`)
}

// JobCounts returns how many jobs of each queue are in each state, without the
// completed ones, up to models.OverviewLimit in all.
func JobCounts(ctx context.Context, q db.Querier) ([]models.JobCount, error) {
	return many[models.JobCount](ctx, q, `
		select queue, state::text, count(*) as jobs, min(scheduled_at) as oldest
		from (select queue, state, scheduled_at from `+riverJobs+` where state <> 'completed' limit $1) j
		group by queue, state order by queue, state`, models.OverviewLimit+1)
}

// JobListFailed returns up to limit jobs below an id that were discarded or wait
// after a failed attempt, the newest first. An empty kind means every kind.
func JobListFailed(ctx context.Context, q db.Querier, kind string, before int64, limit int) ([]models.FailedJob, error) {
	return many[models.FailedJob](ctx, q, `
		select id, kind, coalesce(errors[cardinality(errors)]->>'error', '') as error from `+riverJobs+`
		where state in ('retryable', 'discarded') and ($1 = '' or kind = $1) and id < $2 order by id desc limit $3`, kind, before, limit)
}

// JobInsertBuild inserts a job that builds the archive of a release in a language:
// what a client of River does in InsertTx.
func JobInsertBuild(ctx context.Context, q db.Querier, kind, queue string, attempts int, releaseID int64, language string) error {
	_, err := q.Exec(ctx, `
		with inserted as (
			insert into `+riverJobs+` (args, kind, queue, max_attempts, state)
			values (jsonb_build_object('release_id', $3::bigint, 'language', $4::text), $1, $2, $5, 'available') returning id
		)
		select pg_notify('`+db.RiverSchema+`.river_insert', json_build_object('queue', $2::text)::text) from inserted`, kind, queue, releaseID, language, attempts)
	return err
}
