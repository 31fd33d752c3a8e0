package jobs_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"heliograph/app/channels/relay"
	"heliograph/jobs"
)

// oneInFive fails every fifth request.
func oneInFive(n int) int {
	if n%5 == 0 {
		return http.StatusServiceUnavailable
	}
	return http.StatusOK
}

// An endpoint that fails one request in five is never silenced. Every callback
// arrives, and an attempt costs two runs of a job at most.
func TestEndpointThatFailsAFifthIsNotSilenced(t *testing.T) {
	t.Parallel()
	const messages = 200
	b := setup(t, func(d *jobs.Deps) {
		d.Schedule = relay.Schedule{Pauses: slices.Repeat([]time.Duration{time.Second}, 9), Circuit: time.Hour}
	})
	b.exec(t, `create table silences (at timestamptz not null)`)
	b.exec(t, `create function note_silence() returns trigger language plpgsql as $$
		begin insert into silences values (now()); return null; end $$`)
	b.exec(t, `create trigger silenced after update on webhooks for each row when (new.open_until is not null) execute function note_silence()`)
	url, _ := receiver(t, oneInFive)
	b.setWebhook(t, url)
	for range messages {
		b.send(t, "+919812340003")
	}
	b.settled(t, messages)
	if n := b.count(t, `select count(*) from silences`); n != 0 {
		t.Errorf("the circuit was opened %d times, want never", n)
	}
	attempts := b.count(t, `select sum(attempts) from deliveries where state = 'delivered'`)
	runs := b.count(t, `select sum(1 + coalesce((metadata->>'snoozes')::int, 0)) from river.river_job where kind = 'relay_callback'`)
	if attempts < messages*6/5 || runs > 2*attempts {
		t.Errorf("%d attempts took %d runs of jobs, want at most two each", attempts, runs)
	}
}

// Callbacks to an endpoint that is down wait without a job until a probe
// succeeds. Then all arrive.
func TestCallbacksWaitForAnEndpointInLine(t *testing.T) {
	t.Parallel()
	const messages = 60
	b := setup(t, func(d *jobs.Deps) {
		d.Schedule = relay.Schedule{Pauses: slices.Repeat([]time.Duration{time.Second}, 9), Circuit: 2 * time.Second}
	})
	const inLine = `select count(*) from river.river_job where kind = 'release_callbacks'`
	url, _ := receiver(t, func(int) int { // works again once callbacks wait
		if b.count(t, inLine) == 0 {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	b.setWebhook(t, url)
	for range messages {
		b.send(t, "+919812340003")
	}
	b.settled(t, messages)
	if b.count(t, inLine) == 0 {
		t.Error("no callback waited in line")
	}
}

// settled waits until so many callbacks are delivered and their jobs completed.
func (b *bundle) settled(t *testing.T, want int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		delivered := b.count(t, `select count(*) from deliveries where state = 'delivered'`)
		open := b.count(t, `select count(*) from river.river_job where kind in ('relay_callback', 'release_callbacks') and state <> 'completed'`)
		if delivered == want && open == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d callbacks are delivered, want %d; %d jobs are open", delivered, want, open)
		}
	}
}
