package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"heliograph/app/outbound"
	"heliograph/jobs"
)

// away is a carrier that cannot be reached for its first hand-overs.
type away struct {
	*outbound.Virtual
	mu       sync.Mutex
	failures int
	attempts []int // of each hand-over, as the carrier received it
}

func (a *away) Send(ctx context.Context, m outbound.Message) (outbound.Receipt, error) {
	a.mu.Lock()
	a.attempts = append(a.attempts, m.Attempt)
	down := len(a.attempts) <= a.failures
	a.mu.Unlock()
	if down {
		return outbound.Receipt{}, errors.New("connection refused")
	}
	return a.Virtual.Send(ctx, m)
}

func (a *away) calls() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.attempts)
}

// lines is a log that workers write and a test reads.
type lines struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

// logged sets up a bundle with a worker that logs.
func logged(t *testing.T, carrier outbound.Carrier) (*bundle, *lines) {
	t.Helper()
	log := &lines{}
	return setupLogged(t, slog.New(slog.NewTextHandler(log, nil)), func(d *jobs.Deps) { d.Carrier = carrier }), log
}

// hasten ends the pauses of hand-overs until done.
func (b *bundle) hasten(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("not done within 60 s")
		}
		if _, err := b.pool.Exec(t.Context(), `
			with due as (
				update river.river_job set scheduled_at = now(), state = 'available'
				where kind = 'carry_message' and state in ('available', 'scheduled', 'retryable') and scheduled_at > now() returning id
			)
			select pg_notify('river.river_insert', '{"queue": "send"}') from due`); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCarrierOutageConsumesNoAttempt(t *testing.T) {
	t.Parallel()
	const failures = 30 // more than River's attempts
	carrier := &away{Virtual: outbound.NewVirtual(nil), failures: failures}
	b, log := logged(t, carrier)
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	id := b.send(t, "+919812340003")
	b.hasten(t, func() bool { return carrier.calls() > failures })
	if c := next(t, calls); c.status.ID != id || c.status.Status != "sent" {
		t.Errorf("callback %s, want sent", c.body)
	}
	for i, attempt := range carrier.attempts {
		if attempt != i+1 {
			t.Errorf("hand-over %d has attempt %d", i+1, attempt)
		}
	}
	var job, state string
	var attempt, told int
	err := b.pool.QueryRow(t.Context(), `
		select j.state, j.attempt, m.state, (select count(*) from deliveries)
		from river.river_job j, messages m where j.kind = 'carry_message'`).Scan(&job, &attempt, &state, &told)
	if err != nil || job != "completed" || attempt != 1 || state != "sent" || told != 1 || carrier.calls() != failures+1 {
		t.Errorf("job %s at attempt %d, message %s after %d hand-overs, %d callbacks, %v", job, attempt, state, carrier.calls(), told, err)
	}
	warned := strings.Count(log.String(), "level=WARN")
	if line, _, _ := strings.Cut(log.String(), "\n"); warned != failures || !strings.Contains(line, id) || !strings.Contains(line, "connection refused") {
		t.Errorf("%d warnings, the first: %s", warned, line)
	}
}

func TestMessageFailsWhenItsTimeToLiveIsOver(t *testing.T) {
	t.Parallel()
	for name, age := range map[string]string{
		"of the channel":    `update messages set created_at = created_at - interval '30 days'`,
		"of its template":   `update messages set created_at = created_at - interval '10 minutes', ttl_seconds = 600`,
		"a moment from now": `update messages set created_at = created_at - interval '10 minutes' + interval '2 seconds', ttl_seconds = 600`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			carrier := &away{Virtual: outbound.NewVirtual(nil), failures: 1 << 30}
			b, _ := logged(t, carrier)
			url, calls := receiver(t, always(200))
			b.setWebhook(t, url)
			id := b.send(t, "+919812345678")
			b.hasten(t, func() bool { return carrier.calls() > 2 })
			if _, err := b.pool.Exec(t.Context(), age); err != nil {
				t.Fatal(err)
			}
			var state, history, failure string
			b.hasten(t, func() bool {
				if err := b.pool.QueryRow(t.Context(), `select state, coalesce(failure->>'code', '') from messages`).Scan(&state, &failure); err != nil {
					t.Fatal(err)
				}
				return state != "accepted"
			})
			c := next(t, calls)
			if c.status.ID != id || c.status.Status != "failed" || len(c.status.Errors) != 1 || c.status.Errors[0].Code != 131026 || c.status.Errors[0].ErrorData["details"] == "" {
				t.Errorf("callback %s", c.body)
			}
			var job string
			var attempt, told int
			err := b.pool.QueryRow(t.Context(), `
				select j.state, j.attempt, (select string_agg(state, ' ') from message_events), (select count(*) from deliveries)
				from river.river_job j where j.kind = 'carry_message'`).Scan(&job, &attempt, &history, &told)
			if err != nil || state != "failed" || failure != "131026" || history != "failed" || job != "completed" || attempt != 1 || told != 1 {
				t.Errorf("message %s with code %s and history %q, job %s at attempt %d, %d callbacks, %v", state, failure, history, job, attempt, told, err)
			}
		})
	}
}
