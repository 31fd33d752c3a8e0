package queries_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/errands"
)

// However much waits or runs, reading one callback and completing one job read a
// few rows. A connection keeps the plans that it made when the tables were small.
func TestBusyTablesAreReadByID(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	exec := execOn(t, tx)
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
		if completed, err := errands.JobUpdateCompleted(t.Context(), tx, []int64{job}); err != nil || len(completed) != 1 {
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

// A page of a log does not read what another organisation, of the same size, sent
// meanwhile.
func TestLogsDoNotReadWhatOthersSent(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	exec := execOn(t, tx)
	const each = 5000
	for id := 1; id <= 2; id++ {
		exec(`insert into organisations (id, name, status) overriding system value values ($1, 'One', 'active')`, id)
		exec(`insert into webhooks (id, organisation_id, channel, subject, url, headers) overriding system value values ($1::int, $1::int, 'sms', $1::int::text, 'https://example.com', 'x')`, id)
		exec(`insert into messages (id, organisation_id, channel, sender, sender_id, recipient, kind, payload)
			select overlay((left(id_at(now() - interval '1 hour' + $1::int * interval '10 minutes' + n * interval '1 millisecond')::text, 13) || substr(gen_random_uuid()::text, 14)) placing '7' from 15)::uuid,
				$1::int, 'sms', 'HEADER', 0, '919812345678', 'PM', '{}' from generate_series(1, $2) n`, id, each)
		exec(`insert into deliveries (webhook_id, organisation_id, message_id, event, body, state, created_at)
			select $1::int, $1::int, gen_random_uuid(), 'sent', 'x', 'delivered', now() - interval '1 hour' + $1::int * interval '10 minutes' + n * interval '1 millisecond' from generate_series(1, $2) n`, id, each)
		exec(`insert into inbound_messages (id, organisation_id, channel, contact, recipient, kind, payload)
			select id, organisation_id, channel, recipient, '919800000000', 'text', '{}' from messages where organisation_id = $1`, id)
	}
	exec(`analyze messages, deliveries, inbound_messages`)
	const size = 50
	behind := func(oldestFirst bool) (organisation int64) {
		if oldestFirst {
			return 2
		}
		return 1
	}
	for name, list := range map[string]func(oldestFirst bool) (int, error){
		"messages": func(oldestFirst bool) (int, error) {
			page, err := queries.MessageList(t.Context(), tx, queries.MessageFilter{OrganisationID: behind(oldestFirst), OldestFirst: oldestFirst}, size)
			return len(page.Items), err
		},
		"received messages": func(oldestFirst bool) (int, error) {
			page, err := queries.ReceivedList(t.Context(), tx, queries.ReceivedFilter{OrganisationID: behind(oldestFirst), OldestFirst: oldestFirst}, size)
			return len(page.Items), err
		},
		"callbacks": func(oldestFirst bool) (int, error) {
			page, err := queries.DeliveryList(t.Context(), tx, queries.DeliveryFilter{OrganisationID: behind(oldestFirst), OldestFirst: oldestFirst}, size)
			return len(page.Items), err
		},
	} {
		for _, oldestFirst := range []bool{false, true} {
			for range 7 { // the sixth plan is kept
				before := rowsRead(t, tx)
				n, err := list(oldestFirst)
				if err != nil || n != size {
					t.Fatalf("%s: %d, %v", name, n, err)
				}
				if n := rowsRead(t, tx) - before; n > 10*size {
					t.Errorf("%s, oldest first %v: a page read %d rows", name, oldestFirst, n)
				}
			}
		}
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

// execOn returns a function that runs a statement, and fails the test if it cannot.
func execOn(t *testing.T, q db.Querier) func(sql string, args ...any) {
	return func(sql string, args ...any) {
		t.Helper()
		if _, err := q.Exec(t.Context(), sql, args...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}
