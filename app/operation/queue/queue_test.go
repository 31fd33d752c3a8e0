package queue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels"
	"heliograph/app/fault"
	"heliograph/app/operation/queue"
	"heliograph/db"
	"heliograph/db/dbtest"
)

func setup(t *testing.T) (*queue.Control, pgx.Tx) {
	t.Helper()
	client, err := river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	tx := dbtest.Tx(t)
	for _, sql := range []string{
		`insert into river.river_queue (name, created_at, updated_at) values ('mail', now(), now()), ('send', now(), now())`,
		`insert into river.river_job (id, args, kind, max_attempts, attempt, queue, state, scheduled_at, finalized_at, attempted_at, errors) values
			(1, '{"id": 4}', 'carry_message', 25, 0, 'send', 'available', now() - interval '1 hour', null, null, null),
			(2, '{}', 'carry_message', 25, 3, 'send', 'retryable', now() + interval '1 hour', null, now(),
				array['{"attempt": 3, "at": "2026-11-21T05:19:07Z", "error": "asked https://asha:pw@sms.example.com/send?key=canary for nothing", "trace": ""}'::jsonb]),
			(3, '{}', 'send_email', 25, 25, 'mail', 'discarded', now(), now(), now(), null),
			(4, '{}', 'send_email', 25, 1, 'mail', 'completed', now(), now(), now(), null),
			(5, '{}', 'send_email', 25, 1, 'mail', 'running', now(), null, now(), null)`,
	} {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	return queue.New(tx, client, channels.Endings{Channels: channels.Declared()}), tx
}

func ids(p queue.Page) (list []int64) {
	for _, j := range p.Jobs {
		list = append(list, j.ID)
	}
	return list
}

func TestListPicksAndPages(t *testing.T) {
	t.Parallel()
	control, _ := setup(t)
	for _, tt := range []struct {
		filter queue.Filter
		want   []int64
	}{
		{queue.Filter{}, []int64{5, 3, 2, 1}},
		{queue.Filter{State: "completed"}, []int64{4}},
		{queue.Filter{Queue: "mail"}, []int64{5, 3}},
		{queue.Filter{Kind: "carry_message", State: "retryable"}, []int64{2}},
		{queue.Filter{Kind: "' or true --"}, nil},
	} {
		page, err := control.List(t.Context(), tt.filter, 50)
		if diff := cmp.Diff(tt.want, ids(page)); err != nil || diff != "" || page.Next != "" {
			t.Errorf("%+v: %v, next %q (-want +got):\n%s", tt.filter, err, page.Next, diff)
		}
	}
	var seen []int64
	for filter := (queue.Filter{}); ; {
		page, err := control.List(t.Context(), filter, 1)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, ids(page)...)
		if filter.After = page.Next; filter.After == "" {
			break
		}
	}
	if diff := cmp.Diff([]int64{5, 3, 2, 1}, seen); diff != "" {
		t.Errorf("page by page (-want +got):\n%s", diff)
	}
	for _, f := range []queue.Filter{{State: "lost"}, {After: "x"}} {
		if _, err := control.List(t.Context(), f, 1); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v gives %v", f, err)
		}
	}
}

func TestErrorsKeepSecrets(t *testing.T) {
	t.Parallel()
	control, _ := setup(t)
	job, err := control.Get(t.Context(), 2)
	if err != nil || len(job.Errors) != 1 || job.Errors[0].Text != "asked https://…@sms.example.com/send?… for nothing" {
		t.Errorf("the job is %+v, %v", job, err)
	}
	if _, err := control.Get(t.Context(), 99); !fault.Is(err, fault.NotFound) {
		t.Errorf("a job that is not there gives %v", err)
	}
}

func TestJobsAreRetriedAndCancelled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		id     int64
		cancel bool
		want   string // the state after it, or a kind of fault
	}{
		{1, false, "conflict"}, {2, false, "available"}, {3, false, "available"}, {4, false, "conflict"}, {5, false, "conflict"}, {9, false, "missing"},
		{1, true, "cancelled"}, {2, true, "cancelled"}, {3, true, "conflict"}, {4, true, "conflict"}, {5, true, "running"}, {9, true, "missing"},
	} {
		control, tx := setup(t)
		apply := control.Retry
		if tt.cancel {
			apply = control.Cancel
		}
		err := apply(t.Context(), tt.id, "admin:1")
		got := ""
		switch {
		case fault.Is(err, fault.Conflict):
			got = "conflict"
		case fault.Is(err, fault.NotFound):
			got = "missing"
		case err != nil:
			t.Fatal(err)
		}
		entries := 0
		if err := tx.QueryRow(t.Context(), `select count(*) from audit_entries`).Scan(&entries); err != nil {
			t.Fatal(err)
		}
		if got == "" {
			job, err := control.Get(t.Context(), tt.id)
			if err != nil {
				t.Fatal(err)
			}
			got = job.State
			entries--
		}
		if got != tt.want || entries != 0 {
			t.Errorf("job %d, cancel %t: %s, want %s; the audit is %d off", tt.id, tt.cancel, got, tt.want, entries)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestQueuesArePausedAndResumed(t *testing.T) {
	t.Parallel()
	control, tx := setup(t)
	if err := control.Pause(t.Context(), "send", "admin:1"); err != nil {
		t.Fatal(err)
	}
	if err := control.Pause(t.Context(), "send", "admin:1"); !fault.Is(err, fault.Conflict) {
		t.Errorf("pausing twice gives %v", err)
	}
	list, err := control.Queues(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "mail" || list[0].PausedAt != nil || list[1].PausedAt == nil || list[1].Oldest == nil {
		t.Errorf("the queues are %+v, %v", list, err)
	}
	if diff := cmp.Diff(map[string]int64{"discarded": 1, "running": 1}, list[0].Jobs); diff != "" {
		t.Errorf("the jobs (-want +got):\n%s", diff)
	}
	if err := control.Resume(t.Context(), "send", "admin:1"); err != nil {
		t.Fatal(err)
	}
	if err := control.Resume(t.Context(), "send", "admin:1"); !fault.Is(err, fault.Conflict) {
		t.Errorf("resuming twice gives %v", err)
	}
	if err := control.Pause(t.Context(), "*", "admin:1"); !fault.Is(err, fault.NotFound) {
		t.Errorf("a queue that is not there gives %v", err)
	}
	var actions string
	if err := tx.QueryRow(t.Context(), `select string_agg(action || ' ' || target || ' ' || (details->'after')::text, ', ' order by seq) from audit_entries`).Scan(&actions); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(actions, `queue.pause queue:send {"paused": true}, queue.resume`) {
		t.Errorf("the audit holds %s", actions)
	}
}

// Failing jobs are counted by kind and cause, and the jobs of a cause run again.
func TestJobsAreRetriedByCause(t *testing.T) {
	t.Parallel()
	control, tx := setup(t)
	if _, err := tx.Exec(t.Context(), `
		insert into river.river_job (id, args, kind, max_attempts, attempt, queue, state, scheduled_at, finalized_at, errors)
		select 1000 + i, '{}', 'relay_callback', 32767, 9, 'relay', (case when i % 2 = 0 then 'retryable' else 'discarded' end)::river.river_job_state, now() + interval '1 hour',
		       case when i % 2 = 1 then now() end, array[jsonb_build_object('error', 'older'), jsonb_build_object('error', case when i <= 1200 then 'delivery ' || i || ': no key' else 'timeout' end)]
		from generate_series(1, 1210) i`); err != nil {
		t.Fatal(err)
	}
	want := []queue.CauseCount{
		{Kind: "relay_callback", Cause: "delivery #: no key", Jobs: 1200}, {Kind: "relay_callback", Cause: "timeout", Jobs: 10},
		{Kind: "send_email", Jobs: 1}, {Kind: "carry_message", Cause: "asked https://…@sms.example.com/send?… for nothing", Jobs: 1},
	}
	causes, err := control.Causes(t.Context())
	if diff := cmp.Diff(want, causes); err != nil || diff != "" {
		t.Errorf("causes, %v (-want +got):\n%s", err, diff)
	}
	for _, step := range []struct {
		kind, cause string
		want        int
	}{{"relay_callback", "delivery #: no key", 1200}, {"relay_callback", "delivery #: no key", 0}, {"send_sms", "", 0}, {"relay_callback", "", 10}} {
		if n, err := control.RetryMany(t.Context(), step.kind, step.cause, "admin:1"); n != step.want || err != nil {
			t.Errorf("retrying %s %q: %d, %v, want %d", step.kind, step.cause, n, err, step.want)
		}
	}
	if _, err := control.RetryMany(t.Context(), "", "", "admin:1"); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a kind: %v", err)
	}
	var due, entries int
	if err := tx.QueryRow(t.Context(), `
		select (select count(*) from river.river_job where kind = 'relay_callback' and state = 'available' and scheduled_at <= now() and finalized_at is null),
		       (select count(*) from audit_entries where action = 'job.retry_many')`).Scan(&due, &entries); err != nil || due != 1210 || entries != 2 {
		t.Errorf("%d jobs are due and %d entries in the audit, %v, want 1210 and 2", due, entries, err)
	}
}
