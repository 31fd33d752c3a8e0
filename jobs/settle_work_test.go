package jobs_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/channels"
	"heliograph/app/channels/relay"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/jobs/args"
)

// soonAfter is when messages of now are old enough to be looked at.
func soonAfter() time.Time { return time.Now().Add(3 * time.Minute) }

func (b *bundle) settle(t *testing.T, now time.Time) string {
	t.Helper()
	messages, err := channels.Declared().Settle(t.Context(), b.pool, b.client, now)
	if err != nil {
		t.Fatal(err)
	}
	callbacks, ended, err := relay.Settle(t.Context(), b.pool, b.client, now)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("messages %d queued %d ended, callbacks %d queued %d ended", messages.Queued, len(messages.Ended), callbacks, ended)
}

// Whatever happened to its job, an accepted message is sent and its callbacks
// are posted.
func TestLostJobsAreReplaced(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]string{
		"discarded": `update river.river_job set state = 'discarded', finalized_at = now()`,
		"cancelled": `update river.river_job set state = 'cancelled', finalized_at = now()`,
		"deleted":   `delete from river.river_job`,
		"truncated": `truncate river.river_job`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := prepare(t)
			url, calls := receiver(t, always(200))
			b.setWebhook(t, url)
			lost, kept := b.send(t, "+919812340003"), ""
			b.exec(t, lose)
			kept = b.send(t, "+919812340003")
			if diff := cmp.Diff("messages 0 queued 0 ended, callbacks 0 queued 0 ended", b.settle(t, time.Now())); diff != "" {
				t.Errorf("at once (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff("messages 1 queued 0 ended, callbacks 0 queued 0 ended", b.settle(t, soonAfter())); diff != "" {
				t.Errorf("minutes later (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff("messages 0 queued 0 ended, callbacks 0 queued 0 ended", b.settle(t, soonAfter())); diff != "" {
				t.Errorf("once more (-want +got):\n%s", diff)
			}
			// The jobs of the callbacks are lost as well.
			b.exec(t, `insert into deliveries (webhook_id, organisation_id, message_id, event, body, next_attempt_at)
				select w.id, w.organisation_id, m.id, 'message.sent', '{"entry":[{"changes":[{"value":{"statuses":[{"id":"extra"}]}}]}]}', now() from webhooks w, messages m limit 1`)
			if diff := cmp.Diff("messages 0 queued 0 ended, callbacks 1 queued 0 ended", b.settle(t, soonAfter())); diff != "" {
				t.Errorf("with a callback (-want +got):\n%s", diff)
			}
			b.work(t, slog.New(slog.DiscardHandler))
			want := map[string]bool{lost: true, kept: true, "extra": true}
			for range len(want) {
				delete(want, next(t, calls).status.ID)
			}
			if len(want) > 0 {
				t.Errorf("no callback for %v", want)
			}
		})
	}
}

// What is over ends, though its job still waits.
func TestWhatIsOverEnds(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	id := b.send(t, "+919812340003")
	b.exec(t, `update messages set ttl_seconds = 600`)
	b.exec(t, `update river.river_job set scheduled_at = now() + interval '1 hour', state = 'retryable', attempt = 14`)
	if got := b.settle(t, time.Now().Add(9*time.Minute)); !strings.HasPrefix(got, "messages 0 queued 0 ended") {
		t.Errorf("before its end: %s", got)
	}
	if got := b.settle(t, time.Now().Add(11*time.Minute)); !strings.HasPrefix(got, "messages 0 queued 1 ended") {
		t.Errorf("after its end: %s", got)
	}
	b.exec(t, `insert into deliveries (webhook_id, organisation_id, event, body, next_attempt_at, created_at)
		select id, organisation_id, 'message.sent', '{}', now() - interval '5 days' + interval '1 minute', now() - interval '9 days' from webhooks`)
	if got := b.settle(t, time.Now()); !strings.HasSuffix(got, "callbacks 1 queued 0 ended") {
		t.Errorf("a callback before its end: %s", got)
	}
	if got := b.settle(t, time.Now().Add(2*time.Minute)); !strings.HasSuffix(got, "callbacks 0 queued 1 ended") {
		t.Errorf("a callback after its end: %s", got)
	}
	if n := b.count(t, `select count(*) from deliveries where state = 'failed' and event = 'message.sent'`); n != 1 {
		t.Errorf("%d callbacks are given up, want 1", n)
	}
	b.work(t, slog.New(slog.DiscardHandler))
	if c := next(t, calls); c.status.ID != id || c.status.Status != "failed" || len(c.status.Errors) != 1 || c.status.Errors[0].Code != 131026 {
		t.Errorf("callback %s, want failed", c.body)
	}
}

// A message is found too when its id comes from a clock that is an hour slow.
func TestMessagesOfSlowClocksAreSettled(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	b.send(t, "+919812340003")
	if got := b.settle(t, soonAfter()); !strings.HasPrefix(got, "messages 0 queued") {
		t.Fatal(got)
	}
	slow := fmt.Sprintf("%012x70008000000000000001", time.Now().Add(-time.Hour).UnixMilli())
	b.exec(t, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload)
		select $1::uuid, organisation_id, channel, sender_id, recipient, kind, payload from messages`, slow)
	if got := b.settle(t, soonAfter()); !strings.HasPrefix(got, "messages 0 queued") {
		t.Errorf("within the hour: %s", got)
	}
	b.exec(t, `update settle_mark set stepped_at = now() - interval '61 minutes'`)
	if got := b.settle(t, soonAfter()); !strings.HasPrefix(got, "messages 1 queued") {
		t.Errorf("an hour later: %s", got)
	}
}

// Codes and emails get a new job; what was decided stays so.
func TestLostNoticesAreSettled(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	if err := o.send(t, code("482913")); err != nil {
		t.Fatal(err)
	}
	o.sendEmail(t, "asha@example.com")
	if _, err := o.pool.Exec(t.Context(), `delete from river.river_job`); err != nil {
		t.Fatal(err)
	}
	if _, err := o.pool.Exec(t.Context(), `
		insert into organisations (id, name, status) overriding system value values (77, 'A', 'inactive');
		insert into organisation_users (id, organisation_id, email, password_hash, role) overriding system value values (7, 77, 'a@example.com', '', 'owner'), (8, 77, 'b@example.com', '', 'owner');
		insert into otp_challenges (id, purpose, user_id, phone, expires_at) values
			('0199c2d4-5a70-7000-8000-000000000001', 'recovery', 7, '+919812345678', now() + interval '5 minutes'),
			('0199c2d4-5a70-7000-8000-000000000002', 'recovery', 8, '+919812345679', now() + interval '5 minutes');
		insert into river.river_job (args, kind, max_attempts, state, finalized_at) values ('{"challenge_id": "0199c2d4-5a70-7000-8000-000000000002"}', 'send_code', 25, 'completed', now())`); err != nil {
		t.Fatal(err)
	}
	// One that waits past its time ends.
	if _, err := o.pool.Exec(t.Context(), `insert into notifications (id, kind, purpose, recipient, body, created_at, expires_at)
		values ('00000000-0000-7000-8000-000000000001', 'email', 'waiting', 'a@example.com', 'x', now() - interval '1 hour', now() - interval '1 second')`); err != nil {
		t.Fatal(err)
	}
	settle := func() [2]int {
		t.Helper()
		notices, err := notification.Settle(t.Context(), o.pool, o.inserter)
		if err != nil {
			t.Fatal(err)
		}
		codes, err := identity.SettleCodes(t.Context(), o.pool, o.inserter)
		if err != nil {
			t.Fatal(err)
		}
		return [2]int{notices, codes}
	}
	if got := settle(); got != [2]int{2, 1} {
		t.Errorf("settled %v, want 2 notices and 1 code", got)
	}
	if got := settle(); got != [2]int{} {
		t.Errorf("settled %v more", got)
	}
	o.work(t)
	want := []string{"email expired 0", "sms sent 1 readable", "email sent 1 readable", "sms sent 1 readable"}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		diff := cmp.Diff(want, o.settled(t))
		if diff == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("messages (-want +got):\n%s", diff)
		}
	}
}

// The job does all of it.
func TestSettleWorkRuns(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	id := b.send(t, "+919812340003")
	b.exec(t, `delete from river.river_job`)
	b.exec(t, `insert into unsettled_messages select id from messages`)
	log := &lockedBuffer{}
	b.work(t, slog.New(slog.NewTextHandler(log, nil)))
	if _, err := b.client.Insert(t.Context(), args.SettleWork{}, nil); err != nil {
		t.Fatal(err)
	}
	if c := next(t, calls); c.status.ID != id {
		t.Errorf("callback %s", c.body)
	}
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(log.text(), "messages_queued=1"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) { // it is logged after the message was queued
			t.Fatalf("the log is\n%s", log.text())
		}
	}
}
