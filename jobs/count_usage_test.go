package jobs_test

import (
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/db"
	"heliograph/jobs/args"
)

// Messages of the last minute may not be committed yet: a later count has them.
// What was counted before is counted again for two days, because states change.
func TestUsageIsCountedOnceItIsSettled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	now := time.Now()
	for _, m := range []struct {
		age   time.Duration
		state string
	}{{10 * time.Second, "accepted"}, {40 * time.Second, "sent"}, {90 * time.Second, "delivered"}, {25 * time.Hour, "failed"}, {47 * time.Hour, "read"}} {
		at := now.Add(-m.age)
		_, err := b.pool.Exec(t.Context(), `
			insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state, ttl_seconds, created_at)
			select (lpad(to_hex($1::bigint), 12, '0') || '70008000' || lpad(to_hex($1::bigint), 12, '0'))::uuid, $2, 'messaging', 1, '919812345678', 'text', '{}', $3, 3600, $4`,
			at.UnixMilli(), b.number.OrganisationID, m.state, at)
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.pool.Exec(t.Context(), `update usage_clock set counted_until = now() - interval '1 hour'`); err != nil {
		t.Fatal(err)
	}
	client, err := river.NewClient(riverpgxv5.New(b.pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	job, err := client.Insert(t.Context(), args.CountUsage{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for deadline, state := time.Now().Add(30*time.Second), ""; state != "completed"; time.Sleep(20 * time.Millisecond) {
		if err := b.pool.QueryRow(t.Context(), `select state from river.river_job where id = $1`, job.Job.ID).Scan(&state); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatalf("the job is %s after 30 s", state)
		}
	}
	var messages, delivered, failed int
	err = b.pool.QueryRow(t.Context(), `select coalesce(sum(messages), 0), coalesce(sum(delivered), 0), coalesce(sum(failed), 0) from usage_days`).Scan(&messages, &delivered, &failed)
	if err != nil || messages != 3 || delivered != 2 || failed != 1 {
		t.Errorf("counted %d messages, %d delivered, %d failed, %v; want 3, 2 and 1", messages, delivered, failed, err)
	}
	var until time.Time
	if err := b.pool.QueryRow(t.Context(), `select counted_until from usage_clock`).Scan(&until); err != nil {
		t.Fatal(err)
	}
	if age := time.Since(until); age < time.Minute || age > 2*time.Minute {
		t.Errorf("counted until %s ago, want a minute", age)
	}
}
