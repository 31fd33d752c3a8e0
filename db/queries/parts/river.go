package parts

import (
	"heliograph/db"
)

// This file alone names River's tables. What is written there is held equal to
// River's own functions by river_test.go, so that an upgrade of River that
// changes them fails a test.
const (
	// Jobs is the table of jobs.
	Jobs        = db.RiverSchema + ".river_job"
	riverQueues = db.RiverSchema + ".river_queue"
)

// JobInserted is the channel on which River hears of jobs that were inserted.
const JobInserted = db.RiverSchema + ".river_insert"

// InsertMessageJobs inserts jobs into @job_queue for the messages of the query stored, and
// NotifyJobInsert wakes the workers, unless @job_silent: what a client of River does in
// InsertTx. Up to 20 messages that are due at the same time share a job of kind @job_many; a
// lone one has a job of kind @job_kind. Columns that are not named have River's defaults.
// The attempts are args.Forever.
const (
	InsertMessageJobs = `
		insert into ` + Jobs + ` (args, kind, queue, max_attempts, state, scheduled_at)
		select case when count(*) = 1 then jsonb_build_object('message_id', min(id::text)) else jsonb_build_object('message_ids', jsonb_agg(id order by id)) end,
		       case when count(*) = 1 then @job_kind else @job_many end, @job_queue, 32767,
		       case when scheduled_at is null then 'available' else 'scheduled' end::` + db.RiverSchema + `.river_job_state, coalesce(scheduled_at, now())
		from (select id, scheduled_at, (row_number() over (partition by scheduled_at order by id) - 1) / 20 as batch from stored) s
		group by scheduled_at, batch`
	NotifyJobInsert = `(select case when not @job_silent::bool then pg_notify('` + JobInserted + `', json_build_object('queue', @job_queue::text)::text)::text end as notified) n`
)

// Parts of the statements about the whole system; $2 bounds what is counted.
const (
	CountDiscardedJobs = `select count(*) from (select from ` + Jobs + ` where state = 'discarded' limit $2) d`
	CountFailingJobs   = `select count(*) from (select from ` + Jobs + ` where state = 'retryable' and attempt >= 5 limit $2) f`
	PausedQueueNames   = `select coalesce(array_agg(name order by name), '{}') from ` + riverQueues + ` where paused_at is not null`
	QueueNames         = `select coalesce(array_agg(name order by name), '{}') from ` + riverQueues
	QueueBacklogs      = `
		select queue as name, count(*) as waiting, min(scheduled_at) as oldest
		from (select queue, scheduled_at from ` + Jobs + ` where state = 'available' and scheduled_at <= now() limit $1) j
		group by queue order by queue`
	DeadJobRows = `select n_dead_tup from pg_stat_user_tables where schemaname = '` + db.RiverSchema + `' and relname = 'river_job'`
)

// What jobs will still work on, by its id in their payload, and the challenges
// with a job that has made a code or decided against one, or will.
const (
	LiveStates   = `state in ('available', 'pending', 'retryable', 'running', 'scheduled')`
	LiveMessages = `
		select (args->>'message_id')::uuid as id from ` + Jobs + ` where kind = 'carry_message' and ` + LiveStates + `
		union
		select jsonb_array_elements_text(args->'message_ids')::uuid from ` + Jobs + ` where kind = 'carry_messages' and ` + LiveStates + ``
	LiveDeliveries    = `select distinct (args->>'delivery_id')::bigint as id from ` + Jobs + ` where kind = 'relay_callback' and ` + LiveStates
	LiveNotifications = `select distinct (args->>'notification_id')::uuid as id from ` + Jobs + ` where kind in ('send_sms', 'send_email') and ` + LiveStates
	LiveContacts      = `select distinct (args->>'enquiry_id')::uuid as id from ` + Jobs + ` where kind = 'deliver_contact' and ` + LiveStates
	DecidedChallenges = `select (args->>'challenge_id')::uuid as id from ` + Jobs + ` where kind = 'send_code' and state <> 'discarded'`
)
