package jobs_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/outbound"
	"heliograph/jobs"
)

// severed is a carrier that ends every connection of the database after its first
// hand-over, as the end of the server does.
type severed struct {
	*outbound.Virtual
	calls atomic.Int64
	ready chan struct{} // closed when the worker has started, which takes the database too
	sever func()
}

func (s *severed) Send(ctx context.Context, m outbound.Message) (outbound.Receipt, error) {
	receipt, err := s.Virtual.Send(ctx, m)
	if s.calls.Add(1) == 1 {
		<-s.ready
		s.sever()
	}
	return receipt, err
}

// What was handed over is reported when the database is back, and not handed over
// again.
func TestHandOversOutliveTheDatabase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		recipients []string
	}{{"alone", []string{"919812340003"}}, {"together", []string{"919812340003", "919812340003"}}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			carrier := &severed{Virtual: outbound.NewVirtual(nil), ready: make(chan struct{})}
			b := prepare(t, func(d *jobs.Deps) { d.Carrier = carrier })
			config, err := pgx.ParseConfig(b.pool.Config().ConnString())
			if err != nil {
				t.Fatal(err)
			}
			config.RuntimeParams["application_name"] = "outside"
			outside, err := pgx.ConnectConfig(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { outside.Close(context.Background()) })
			severed := make(chan error, 1)
			carrier.sever = func() {
				_, err := outside.Exec(context.Background(), `
					select pg_terminate_backend(pid) from pg_stat_activity
					where datname = current_database() and backend_type = 'client backend' and application_name <> 'outside'`)
				severed <- err
			}
			b.accept(t, c.recipients...)
			b.work(t, slog.New(slog.DiscardHandler))
			close(carrier.ready)
			if err := <-severed; err != nil {
				t.Fatal(err)
			}
			sent := 0
			for deadline := time.Now().Add(60 * time.Second); sent < len(c.recipients); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%d of %d messages were sent", sent, len(c.recipients))
				}
				if err := outside.QueryRow(t.Context(), `select count(*) from messages where state = 'sent'`).Scan(&sent); err != nil {
					t.Fatal(err)
				}
			}
			if n := carrier.calls.Load(); n != int64(len(c.recipients)) {
				t.Errorf("%d hand-overs of %d messages", n, len(c.recipients))
			}
		})
	}
}

// When its process dies, a job is run again soon after it was rescued, however often that
// happened. The texts by which that is known are River's.
func TestRescuedJobsRunAgainSoon(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	b.accept(t, "919812340003")
	const died = `{"at": "2026-01-02T03:04:05Z", "attempt": 1, "error": "Stuck job rescued by JobRescuer", "trace": ""}`
	b.exec(t, `update river.river_job set state = 'running', attempt = 9, attempted_at = now() - interval '1 hour', attempted_by = '{gone}',
		errors = array_fill($1::text, array[8])::jsonb[]`, died)
	b.work(t, slog.New(slog.DiscardHandler))
	for deadline := time.Now().Add(60 * time.Second); b.count(t, `select count(*) from messages where state = 'sent'`) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the job did not run again within a minute")
		}
	}
	var text string
	var pause time.Duration
	if err := b.pool.QueryRow(t.Context(), `
		select errors[9]->>'error', attempted_at - (errors[9]->>'at')::timestamptz from river.river_job
		where kind like 'carry%' and attempt = 10`).Scan(&text, &pause); err != nil {
		t.Fatal(err)
	}
	if text != "Stuck job rescued by JobRescuer" || pause > 15*time.Second {
		t.Errorf("the job was %q and ran again %s later, want at most 15 s", text, pause)
	}
}
