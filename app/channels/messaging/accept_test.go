package messaging_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"heliograph/jobs/args"
)

// Accepting writes its jobs itself. They have to be what River's own client
// inserts, and the workers have to hear of them as they would from it.
func TestAcceptedMessagesHaveTheJobThatRiverInserts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := b.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), `listen "river.river_insert"`); err != nil {
		t.Fatal(err)
	}
	type job struct{ Row, Notice map[string]any }
	last := func() (j job) {
		t.Helper()
		heard, err := conn.Conn().WaitForNotification(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(heard.Payload), &j.Notice); err != nil {
			t.Fatal(err)
		}
		err = b.pool.QueryRow(t.Context(), `
			select to_jsonb(j) - array['id', 'created_at', 'scheduled_at', 'args'] ||
				jsonb_build_object('args', (select jsonb_object_agg(key, jsonb_typeof(value)) from jsonb_each(args)), 'due', scheduled_at <= now())
			from river.river_job j order by id desc limit 1`).Scan(&j.Row)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	tx, err := b.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.jobs.InsertTx(t.Context(), tx, args.CarryMessage{MessageID: uuid.New()}, nil); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := last()
	if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(hello), ""); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, last()); diff != "" {
		t.Errorf("the job (-River's +ours):\n%s", diff)
	}
}

// A batch holds sends with keys and without, and one key twice.
func TestKeyIsKeptBesideSendsWithoutOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const each = 40
	errs := make(chan error, 2*each)
	for range each {
		for _, key := range []string{"", "order-8"} {
			go func() {
				_, err := b.service.Sender.Send(t.Context(), b.number, []byte(hello), key)
				errs <- err
			}()
		}
	}
	for range 2 * each {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := b.count(t, `select count(*) from messages`); n != each+1 {
		t.Errorf("%d messages, want %d without a key and 1 with", n, each)
	}
	if n := b.count(t, `select sum(coalesce(jsonb_array_length(args->'message_ids'), 1)) from river.river_job where kind like 'carry_message%'`); n != each+1 {
		t.Errorf("jobs carry %d messages, want %d", n, each+1)
	}
}
