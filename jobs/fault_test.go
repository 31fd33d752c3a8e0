package jobs_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// rush makes waiting jobs of a kind due until done.
func (b *bundle) rush(t *testing.T, kind string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(90 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("not done within 90 s")
		}
		if _, err := b.pool.Exec(t.Context(), `
			with due as (
				update river.river_job set scheduled_at = now(), state = 'available'
				where kind = $1 and state in ('available', 'scheduled', 'retryable') and scheduled_at > now() returning queue
			)
			select pg_notify('river.river_insert', json_build_object('queue', queue)::text) from due`, kind); err != nil {
			t.Fatal(err)
		}
	}
}

func (b *bundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := b.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// rushNext ends the pause of the job of a kind that comes next.
func (b *bundle) rushNext(t *testing.T, kind string) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		n := b.count(t, `
			with due as (
				update river.river_job set scheduled_at = now(), state = 'available'
				where id = (select id from river.river_job where kind = $1 and state = 'scheduled' and scheduled_at > now() order by scheduled_at limit 1) returning queue
			)
			select count(pg_notify('river.river_insert', json_build_object('queue', queue)::text)) from due`, kind)
		if n == 1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no job %s is to come within 60 s", kind)
		}
	}
}

func (b *bundle) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// A fault of the database that lasts longer than any count of attempts strands
// no message and no callback: with health both go on, and operators have read of
// it once.
func TestAFaultThatOutlastsEveryCountStrandsNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ kind, table, says string }{
		{"carry_message", "message_events", "no space left on device"},
		{"relay_callback", "delivery_attempts", "no space left on device"},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			log := &lockedBuffer{Buffer: bytes.Buffer{}}
			b := setupLogged(t, slog.New(slog.NewTextHandler(log, nil)))
			url, calls := receiver(t, always(200))
			b.setWebhook(t, url)
			b.exec(t, `create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`)
			b.exec(t, `create trigger full_disk before insert on `+tt.table+` execute function full_disk()`)
			id := b.send(t, "+919812340003")
			b.rush(t, tt.kind, func() bool {
				return b.count(t, `select coalesce(max(attempt), 0) from river.river_job where kind = $1`, tt.kind) > 27
			})
			if n := b.count(t, `select count(*) from river.river_job where state = 'discarded'`); n != 0 {
				t.Errorf("%d jobs are discarded", n)
			}
			b.exec(t, `drop trigger full_disk on `+tt.table)
			b.rush(t, tt.kind, func() bool { return b.count(t, `select count(*) from deliveries where state = 'delivered'`) == 1 })
			if c := next(t, calls); c.status.ID != id || c.status.Status != "sent" {
				t.Errorf("callback %s, want sent", c.body)
			}
			if n := strings.Count(log.text(), tt.says); n < 1 || n > 2 {
				t.Errorf("the fault is logged %d times:\n%s", n, log.text())
			}
		})
	}
}
