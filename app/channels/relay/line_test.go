package relay_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/channels/relay"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// posts collects the inserted jobs.
type posts struct{ released, lines int }

func (p *posts) InsertTx(_ context.Context, _ pgx.Tx, a river.JobArgs, _ *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	if a.Kind() == (args.ReleaseCallbacks{}).Kind() {
		p.lines++
	}
	return nil, nil
}

func (p *posts) InsertManyFastTx(_ context.Context, _ pgx.Tx, work []river.InsertManyParams) (int, error) {
	p.released += len(work)
	return len(work), nil
}

func TestPaceFollowsTheShareOfFailures(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, tt := range []struct {
		attempts, failures float64
		ago                time.Duration
		want               float64
	}{
		{0, 0, 0, 1}, {1, 1, 0, 4. / 9}, {98, 20, 0, 0.64}, {98, 50, 0, 0.25}, {998, 998, 0, 0.000004}, {1000, 1000, 5 * time.Minute, 0.45},
	} {
		counted := now.Add(-tt.ago)
		got := relay.Pace(models.Webhook{RecentAttempts: tt.attempts, RecentFailures: tt.failures, CountedAt: &counted}, now)
		if math.Abs(got-tt.want) > 0.01 {
			t.Errorf("%v of %v failed %s ago: pace %.4f, want %.4f", tt.failures, tt.attempts, tt.ago, got, tt.want)
		}
	}
}

// The line of a webhook gives one callback as a probe while the circuit is open,
// more with each success afterwards, and nothing while enough are due.
func TestLineMovesOnWithThePace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, change string
		released     int
		next         time.Duration
	}{
		{"open", `update webhooks set open_until = now() + interval '20 seconds'`, 0, 20 * time.Second},
		{"half open", `update webhooks set open_until = now() - interval '1 second'`, 1, time.Second},
		{"first success", `update webhooks set recent_attempts = 9, recent_failures = 8, counted_at = now()`, 3, time.Second},
		{"one in five fails", `update webhooks set recent_attempts = 1000, recent_failures = 200, counted_at = now()`, 96, time.Second},
		{"healthy", `select`, 150, time.Second},
		{"healthy, most is due", `update deliveries set next_attempt_at = now() where id in (select id from deliveries where state = 'pending' limit 149)`, 1, time.Second},
		{"disabled", `update webhooks set disabled_at = now(), disabled_reason = 'x'`, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx, load := deliver(t)
			for _, sql := range []string{
				`update deliveries set state = 'delivered'`,
				`insert into deliveries (webhook_id, organisation_id, event, body)
				 select w.id, w.organisation_id, 'message.sent', '{}' from webhooks w, generate_series(1, 300) n`,
				tt.change,
			} {
				if _, err := tx.Exec(t.Context(), sql); err != nil {
					t.Fatal(err)
				}
			}
			jobs := &posts{}
			next, err := relay.Release(t.Context(), tx, jobs, load().Webhook.ID)
			if err != nil || jobs.released != tt.released || (next-tt.next).Abs() > time.Second/2 {
				t.Errorf("released %d, next step in %s, %v; want %d, %s", jobs.released, next, err, tt.released, tt.next)
			}
		})
	}
}

// A callback is put in line once, and its webhook's line gets one job.
func TestParkedCallbackNeedsNoJob(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	jobs := &posts{}
	d := load()
	if err := relay.Park(t.Context(), tx, jobs, d.ID); err != nil || jobs.lines != 1 {
		t.Errorf("%d lines, %v, want one", jobs.lines, err)
	}
	if _, err := tx.Exec(t.Context(), `
		insert into river.river_job (args, kind, queue, max_attempts, state) values (jsonb_build_object('webhook_id', $1::bigint), 'release_callbacks', 'relay', 25, 'scheduled')`, d.Webhook.ID); err != nil {
		t.Fatal(err)
	}
	if err := relay.Park(t.Context(), tx, jobs, d.ID); err != nil || jobs.lines != 1 {
		t.Errorf("%d lines, %v, want no second one", jobs.lines, err)
	}
	if _, err := tx.Exec(t.Context(), `update deliveries set state = 'delivered'`); err != nil {
		t.Fatal(err)
	}
	if err := relay.Park(t.Context(), tx, jobs, d.ID); err != nil || jobs.lines != 1 {
		t.Errorf("%d lines, %v, want none for a callback that was delivered", jobs.lines, err)
	}
}
