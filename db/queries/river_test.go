package queries_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// The program writes two kinds of rows of River's tables itself, for speed.
// These tests do each step once so and once by River's own function and compare
// whole rows, so that an upgrade of River cannot change one without the other.

// newRiver makes a client. One notifies of inserts no more than every few
// milliseconds, so each insert that is compared takes its own.
func newRiver(t *testing.T) *river.Client[pgx.Tx] {
	t.Helper()
	client, err := river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: db.RiverSchema, MaxAttempts: args.Forever})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// jobRow is a job as River stores it, without its times of this moment: those
// are replaced by how they relate to now.
func jobRow(t *testing.T, q db.Querier, id int64) map[string]any {
	t.Helper()
	var row map[string]any
	err := q.QueryRow(t.Context(), `
		select to_jsonb(j) || jsonb_build_object(
			'created_at', case when created_at > now() - interval '1 minute' then to_jsonb('now'::text) else to_jsonb(created_at) end,
			'scheduled_at', case when scheduled_at > now() + interval '1 minute' then to_jsonb('later'::text)
				when scheduled_at > now() - interval '1 minute' then to_jsonb('now'::text) else to_jsonb(scheduled_at) end,
			'finalized_at', case when finalized_at > now() - interval '1 minute' then to_jsonb('now'::text) else to_jsonb(finalized_at) end)
		from river.river_job j where id = $1`, id).Scan(&row)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// A job with every column filled, in a state.
const workedJob = `
	insert into river.river_job (args, attempt, attempted_at, attempted_by, created_at, errors, finalized_at, kind, max_attempts, metadata, priority, queue,
		scheduled_at, state, tags, unique_key, unique_states)
	values ('{"message_id": "0199c2d4-5a70-7000-8000-000000000001"}', 3, now() - interval '5 seconds', '{one,two,three}', now() - interval '1 hour',
		array['{"at": "2026-01-01T00:00:00Z", "attempt": 1, "error": "timeout", "trace": ""}']::jsonb[],
		case when $1 in ('cancelled', 'completed', 'discarded') then now() - interval '10 minutes' end,
		'carry_message', 25, $2, 2, 'send', now() - interval '30 minutes', $1::text::river.river_job_state, '{a,b}', '\x0102', b'11111111')
	returning id`

func TestCompletingAJobIsWhatRiverDoes(t *testing.T) {
	t.Parallel()
	working := workContext(t)
	tx := dbtest.Tx(t)
	for _, state := range rivertype.JobStates() {
		for _, metadata := range []string{`{}`, `{"snoozes": 2}`, `{"cancel_attempted_at": "2026-01-01T00:00:00Z"}`} {
			var id int64
			if err := tx.QueryRow(t.Context(), workedJob, string(state), metadata).Scan(&id); err != nil {
				t.Fatal(err)
			}
			before := jobRow(t, tx, id)
			// The worker holds the job as it was when it took it.
			job := &river.Job[args.CarryMessage]{JobRow: &rivertype.JobRow{ID: id, State: rivertype.JobStateRunning}}
			want := undone(t, tx, func(tx pgx.Tx) map[string]any {
				if _, err := river.JobCompleteTx[*riverpgxv5.Driver](working, tx, job); err != nil {
					t.Fatal(err)
				}
				return jobRow(t, tx, id)
			})
			got := undone(t, tx, func(tx pgx.Tx) map[string]any {
				completed, err := errands.JobUpdateCompleted(t.Context(), tx, []int64{id})
				if err != nil {
					t.Fatal(err)
				}
				if running := state == rivertype.JobStateRunning; running != slices.Equal(completed, []int64{id}) {
					t.Errorf("a job that is %s: %v are completed", state, completed)
				}
				return jobRow(t, tx, id)
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("completing a job that is %s with %s (-River's +ours):\n%s", state, metadata, diff)
			}
			if running := state == rivertype.JobStateRunning; running == cmp.Equal(before, got) {
				t.Errorf("a job that is %s: changed = %v, want %v", state, !running, running)
			}
			if _, err := tx.Exec(t.Context(), `delete from river.river_job where id = $1`, id); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// waiting is a job that hands its context out and waits.
type waiting struct{}

func (waiting) Kind() string { return "waiting" }

// workContext returns the context of a worker, which river.JobCompleteTx needs.
func workContext(t *testing.T) context.Context {
	t.Helper()
	contexts, done := make(chan context.Context, 1), make(chan struct{})
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, _ *river.Job[waiting]) error {
		contexts <- ctx
		<-done
		return nil
	}))
	client, err := river.NewClient(riverpgxv5.New(dbtest.Pool(t)), &river.Config{
		Schema: db.RiverSchema, Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1}},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		close(done)
		if err := client.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if _, err := client.Insert(t.Context(), waiting{}, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case ctx := <-contexts:
		return ctx
	case <-time.After(30 * time.Second):
		t.Fatal("no worker took the job within 30 s")
		return nil
	}
}

// undone runs fn in a savepoint and takes back what it did.
func undone(t *testing.T, tx pgx.Tx, fn func(tx pgx.Tx) map[string]any) map[string]any {
	t.Helper()
	inner, err := tx.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Rollback(t.Context()) //nolint:errcheck // the test's transaction ends with it
	return fn(inner)
}

// Several jobs are completed in one statement; one that is gone is no error.
func TestJobsAreCompletedTogether(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	var ids []int64
	for _, state := range []string{"running", "available", "running"} {
		var id int64
		if err := tx.QueryRow(t.Context(), `insert into river.river_job (args, kind, max_attempts, state) values ('{}', 'x', 25, $1::text::river.river_job_state) returning id`, state).Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	completed, err := errands.JobUpdateCompleted(t.Context(), tx, append(ids, 1<<60))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(completed)
	if want := []int64{ids[0], ids[2]}; !slices.Equal(completed, want) {
		t.Errorf("completed %v, want %v", completed, want)
	}
	var states []string
	if err := tx.QueryRow(t.Context(), `select array_agg(state::text order by id) from river.river_job`).Scan(&states); err != nil {
		t.Fatal(err)
	}
	if want := []string{"completed", "available", "completed"}; !slices.Equal(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
}

// A message inserts the same job, and sends the same notification that wakes the
// workers, as a River client does, by each of its ways to insert.
func TestInsertingAJobIsWhatRiverDoes(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), `listen "river.river_insert"`); err != nil {
		t.Fatal(err)
	}
	message := args.CarryMessage{MessageID: uuid.MustParse("0199c2d4-5a70-7000-8000-000000000001")}
	type inserted struct {
		Row    map[string]any
		Notice map[string]any
	}
	insert := func(fn func(ctx context.Context, tx pgx.Tx) error) (job inserted) {
		t.Helper()
		if err := db.InTx(t.Context(), pool, func(tx pgx.Tx) error { return fn(t.Context(), tx) }); err != nil {
			t.Fatal(err)
		}
		wait, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		heard, err := conn.Conn().WaitForNotification(wait)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(heard.Payload), &job.Notice); err != nil {
			t.Fatal(err)
		}
		var id int64
		if err := pool.QueryRow(t.Context(), `select max(id) from river.river_job`).Scan(&id); err != nil {
			t.Fatal(err)
		}
		job.Row = jobRow(t, pool, id)
		delete(job.Row, "id")
		return job
	}
	want := map[string]inserted{
		"InsertTx": insert(func(ctx context.Context, tx pgx.Tx) error {
			_, err := newRiver(t).InsertTx(ctx, tx, message, nil)
			return err
		}),
		"InsertManyTx": insert(func(ctx context.Context, tx pgx.Tx) error {
			_, err := newRiver(t).InsertManyTx(ctx, tx, []river.InsertManyParams{{Args: message}})
			return err
		}),
		"InsertManyFastTx": insert(func(ctx context.Context, tx pgx.Tx) error {
			_, err := newRiver(t).InsertManyFastTx(ctx, tx, []river.InsertManyParams{{Args: message}})
			return err
		}),
	}
	accept := func(ctx context.Context, tx pgx.Tx, silent bool) error {
		if _, err := tx.Exec(ctx, `delete from messages`); err != nil {
			return err
		}
		_, err := writes.MessageInsertMany(ctx, tx, []writes.AcceptedMessage{{Message: models.Message{
			ID: message.MessageID, OrganisationID: 1, Channel: "messaging", Sender: "1", Recipient: "91", Kind: "text", Payload: []byte(`{}`), CreatedAt: time.Now(),
		}}}, writes.NewJob{Kind: message.Kind(), Queue: message.InsertOpts().Queue, Silent: silent})
		return err
	}
	got := map[string]inserted{
		"ours": insert(func(ctx context.Context, tx pgx.Tx) error { return accept(ctx, tx, false) }),
		"ours in two steps": insert(func(ctx context.Context, tx pgx.Tx) error {
			if err := accept(ctx, tx, true); err != nil {
				return err
			}
			return errands.JobWake(ctx, tx, message.InsertOpts().Queue)
		}),
	}
	for way, theirs := range want {
		for mine, ours := range got {
			if diff := cmp.Diff(theirs, ours); diff != "" {
				t.Errorf("%s and %s (-River's +ours):\n%s", way, mine, diff)
			}
		}
	}
}

// A change of a change set inserts the same job as a River client. One
// that waits already is not inserted again.
func TestInsertingACheckIsWhatRiverDoes(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	job := args.CheckChanges{ChangeSetID: 7}
	ours := func() {
		t.Helper()
		if err := errands.JobInsertCheck(t.Context(), tx, job.Kind(), args.QueueDefault, job.ChangeSetID); err != nil {
			t.Fatal(err)
		}
	}
	newest := func() map[string]any {
		t.Helper()
		var id int64
		if err := tx.QueryRow(t.Context(), `select max(id) from river.river_job`).Scan(&id); err != nil {
			t.Fatal(err)
		}
		row := jobRow(t, tx, id)
		delete(row, "id")
		return row
	}
	if _, err := newRiver(t).InsertTx(t.Context(), tx, job, nil); err != nil {
		t.Fatal(err)
	}
	want := newest()
	if _, err := tx.Exec(t.Context(), `delete from river.river_job`); err != nil {
		t.Fatal(err)
	}
	ours()
	if diff := cmp.Diff(want, newest()); diff != "" {
		t.Errorf("inserting a check (-River's +ours):\n%s", diff)
	}
	ours()
	var n int
	count := func() int {
		t.Helper()
		if err := tx.QueryRow(t.Context(), `select count(*) from river.river_job`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if count() != 1 {
		t.Errorf("%d jobs wait for one change set", n)
	}
	if _, err := tx.Exec(t.Context(), `update river.river_job set state = 'running'`); err != nil {
		t.Fatal(err)
	}
	if ours(); count() != 2 {
		t.Errorf("%d jobs: what changes while one runs is checked by another", n)
	}
}

// The first error tells since when a job fails; the last ones tell why.
func TestErrorsOfJobsAreTrimmed(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	for _, n := range []int{0, 1, 40, 41, 700} {
		var first, last, left int
		err := tx.QueryRow(t.Context(), `
			insert into river.river_job (args, kind, max_attempts, state, errors)
			values ('{}', 'x', 25, 'retryable', (select array_agg(jsonb_build_object('attempt', i)) from generate_series(1, $1) i)) returning id`, n).Scan(&left)
		if err != nil {
			t.Fatal(err)
		}
		if err := errands.JobTrimErrors(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
		if err := tx.QueryRow(t.Context(), `
			select coalesce(cardinality(errors), 0), coalesce((errors[1]->>'attempt')::int, 0), coalesce((errors[cardinality(errors)]->>'attempt')::int, 0)
			from river.river_job where id = $1`, left).Scan(&left, &first, &last); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: n, false: 20}[n <= 40]; left != want || first != min(n, 1) || last != n {
			t.Errorf("of %d errors %d are left, from %d to %d; want %d", n, left, first, last, want)
		}
	}
}
