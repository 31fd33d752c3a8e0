package queries_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db/dbtest"
	"heliograph/db/queries"
)

// However much waits or runs, reading one callback and completing one job read a
// few rows. A connection keeps the plans that it made when the tables were small.
func TestBusyTablesAreReadByID(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	exec(`insert into organisations (id, name, status) overriding system value values (1, 'First', 'active')`)
	exec(`insert into webhooks (id, organisation_id, channel, subject, url, headers) overriding system value values (1, 1, 'sms', '1', 'https://example.com', 'x')`)
	exec(`insert into deliveries (webhook_id, organisation_id, message_id, event, body, state, next_attempt_at)
		select 1, 1, $1::uuid, 'sent', 'x', 'pending', now() from generate_series(1, 2)`, uuid.Must(uuid.NewV7()))
	exec(`insert into river.river_job (args, kind, queue, max_attempts, state, attempt, attempted_at) select '{}', 'idle', 'send', 25, 'running', 1, now() from generate_series(1, 10)`)
	var second, job int64
	if err := tx.QueryRow(t.Context(), `select (select max(id) from deliveries), (select min(id) from river.river_job where kind = 'idle')`).Scan(&second, &job); err != nil {
		t.Fatal(err)
	}
	load := func() {
		t.Helper()
		found, err := queries.DeliveryListRelayed(t.Context(), tx, []int64{second})
		if err != nil || len(found) != 1 || !found[0].Earlier {
			t.Fatalf("the second callback of a message is %+v, %v", found, err)
		}
	}
	complete := func() {
		t.Helper()
		if completed, err := queries.JobUpdateCompleted(t.Context(), tx, []int64{job}); err != nil || len(completed) != 1 {
			t.Fatalf("completed %v, %v", completed, err)
		}
		job++
	}
	for range 6 { // the sixth plan is kept
		load()
		complete()
	}
	exec(`insert into deliveries (webhook_id, organisation_id, message_id, event, body, state, next_attempt_at)
		select 1, 1, gen_random_uuid(), 'sent', 'x', 'pending', now() from generate_series(1, 1000)`)
	exec(`insert into river.river_job (args, kind, queue, max_attempts, state, attempt, attempted_at)
		select '{}', 'idle', 'send', 25, 'running', 1, now() from generate_series(1, 1000)`)

	before := rowsRead(t, tx)
	load()
	if n := rowsRead(t, tx) - before; n > 10 {
		t.Errorf("reading a callback read %d rows", n)
	}
	before = rowsRead(t, tx)
	complete()
	if n := rowsRead(t, tx) - before; n > 10 {
		t.Errorf("completing a job read %d rows", n)
	}
}

// rowsRead is how many rows of all tables were read in a transaction.
func rowsRead(t *testing.T, tx pgx.Tx) (n int64) {
	t.Helper()
	err := tx.QueryRow(t.Context(), `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_xact_user_tables`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
