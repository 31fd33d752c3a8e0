package errands

import (
	"context"

	"heliograph/db"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// JobWake notifies the workers of jobs that were inserted into a queue, as a client of
// River does. It does not wait for the disk: the notification is of use to a running
// database only.
func JobWake(ctx context.Context, q db.Querier, queue string) error {
	return collect.Execute(ctx, q, `
		select set_config('synchronous_commit', 'off', true), pg_notify('`+parts.JobInserted+`', json_build_object('queue', $1::text)::text)`, queue)
}

// JobInsertCheck inserts a job of a kind for a change set, unless one waits to run:
// what a client of River does in InsertTx. Checks of one change set are inserted
// under the lock of its product.
func JobInsertCheck(ctx context.Context, q db.Querier, kind, queue string, changeSetID int64) error {
	return collect.Execute(ctx, q, `
		with inserted as (
			insert into `+parts.Jobs+` (args, kind, queue, max_attempts, state)
			select jsonb_build_object('change_set_id', $3::bigint), $1, $2, 32767, 'available'
			where not exists (select from `+parts.Jobs+` where kind = $1 and state = 'available' and (args->>'change_set_id')::bigint = $3)
			returning id
		)
		select pg_notify('`+parts.JobInserted+`', json_build_object('queue', $2::text)::text) from inserted`, kind, queue, changeSetID)
}

// JobTrimErrors shortens the lists of errors of jobs that failed often to the
// first, which tells since when a job fails, and the last ones.
func JobTrimErrors(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `
		update `+parts.Jobs+` set errors = errors[1:1] || errors[cardinality(errors) - 18:]
		where state = 'retryable' and cardinality(errors) > 40`)
}

// JobUpdateCompleted completes jobs in the transaction of their effect, as
// river.JobCompleteTx does for one, and returns the ids of those that it completed.
// A job that is not running any more, because it was cancelled or rescued meanwhile,
// keeps its state. One that was rescued and runs a second time is completed: both
// runs have the same effect, which is done now. The state is compared as text, so that
// the jobs are found by id: without statistics the database would rather read all
// that run.
func JobUpdateCompleted(ctx context.Context, q db.Querier, ids []int64) ([]int64, error) {
	return collect.Values[int64](ctx, q, `update `+parts.Jobs+` set state = 'completed', finalized_at = now() where id = any($1) and state::text = 'running' returning id`, ids)
}

// JobInsertBuild inserts a job that builds the archive of a release in a language:
// what a client of River does in InsertTx.
func JobInsertBuild(ctx context.Context, q db.Querier, kind, queue string, attempts int, releaseID int64, language string) error {
	return collect.Execute(ctx, q, `
		with inserted as (
			insert into `+parts.Jobs+` (args, kind, queue, max_attempts, state)
			values (jsonb_build_object('release_id', $3::bigint, 'language', $4::text), $1, $2, $5, 'available') returning id
		)
		select pg_notify('`+parts.JobInserted+`', json_build_object('queue', $2::text)::text) from inserted`, kind, queue, releaseID, language, attempts)
}
