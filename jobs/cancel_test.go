package jobs_test

import (
	"log/slog"
	"strings"
	"testing"

	"heliograph/app/channels"
	"heliograph/app/operation/queue"
)

func (b *bundle) job(t *testing.T, kind string) (id int64) {
	t.Helper()
	return int64(b.count(t, `select id::int from river.river_job where kind = $1 and state = 'available'`, kind))
}

// A cancelled job ends what it works on with it: no message or callback waits for
// a job that is gone, and partners receive the failure.
func TestCancellingAJobEndsItsWork(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	control := queue.New(b.pool, b.client, channels.Endings{Channels: channels.Declared()})
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	id := b.send(t, "+919812340003")
	job, err := control.Get(t.Context(), b.job(t, "carry_message"))
	if err != nil || job.Work != "the message "+id {
		t.Fatalf("the job works on %q, %v, want the message %s", job.Work, err, id)
	}
	if err := control.Cancel(t.Context(), job.ID, "admin:1"); err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, `select count(*) from messages m join message_events e on e.message_id = m.id where m.state = 'failed' and e.state = 'failed'`); n != 1 {
		t.Errorf("%d messages failed, want 1", n)
	}
	if n := b.count(t, `select count(*) from audit_entries where action = 'job.cancel' and details->>'ended' = 'the message ' || $1`, id); n != 1 {
		t.Errorf("%d entries of the audit name the message, want 1", n)
	}
	if got := b.settle(t, soonAfter()); got != "messages 0 queued 0 ended, callbacks 0 queued 0 ended" {
		t.Errorf("settling finds %s", got)
	}

	// A callback is given up.
	b.exec(t, `insert into deliveries (webhook_id, organisation_id, event, body, next_attempt_at) select id, organisation_id, 'extra', '{}', now() from webhooks`)
	b.exec(t, `insert into river.river_job (args, kind, queue, max_attempts) select jsonb_build_object('delivery_id', id), 'relay_callback', 'other', 25 from deliveries where event = 'extra'`)
	extra := int64(b.count(t, `select id::int from river.river_job where queue = 'other'`))
	if job, err := control.Get(t.Context(), extra); err != nil || !strings.HasPrefix(job.Work, "the callback ") {
		t.Errorf("the job works on %q, %v", job.Work, err)
	}
	if err := control.Cancel(t.Context(), extra, "admin:1"); err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, `select count(*) from deliveries where event = 'extra' and state = 'failed' and finished_at is not null`); n != 1 {
		t.Errorf("%d callbacks are given up, want 1", n)
	}
	b.work(t, slog.New(slog.DiscardHandler))
	if c := next(t, calls); c.status.ID != id || c.status.Status != "failed" || len(c.status.Errors) != 1 || !strings.Contains(c.status.Errors[0].ErrorData["details"], "cancelled") {
		t.Errorf("callback %s, want failed and why", c.body)
	}
}

// Emails, SMS and codes are not sent once their job is cancelled.
func TestCancellingAJobEndsItsNotice(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	control := queue.New(o.pool, o.inserter, channels.Endings{Channels: channels.Declared()})
	if err := o.send(t, code("482913")); err != nil {
		t.Fatal(err)
	}
	o.sendEmail(t, "asha@example.com")
	for _, kind := range []string{"send_sms", "send_email"} {
		var id int64
		if err := o.pool.QueryRow(t.Context(), `select id from river.river_job where kind = $1`, kind).Scan(&id); err != nil {
			t.Fatal(err)
		}
		job, err := control.Get(t.Context(), id)
		if err != nil || !strings.Contains(job.Work, " of ") || strings.Contains(job.Work, "482913") {
			t.Errorf("the job works on %q, %v", job.Work, err)
		}
		if err := control.Cancel(t.Context(), id, "admin:1"); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(o.settled(t), ", "); got != "sms cancelled 0, email cancelled 0" {
		t.Errorf("messages are %s", got)
	}
}
