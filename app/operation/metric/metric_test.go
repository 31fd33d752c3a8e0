package metric_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"heliograph/app/operation/metric"
	"heliograph/db/dbtest"
)

// Waiting and discarded jobs and failures are reported, and queues that are
// empty as well.
func TestDatabaseReportsTheSystem(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	for _, sql := range []string{
		`insert into river.river_queue (name, created_at, metadata, paused_at, updated_at) values ('otp', now(), '{}', now(), now()), ('send', now(), '{}', null, now())`,
		`insert into river.river_job (kind, queue, args, max_attempts, scheduled_at) select 'carry_message', 'send', '{}', 25, now() - interval '90 s' from generate_series(1, 3)`,
		`insert into river.river_job (kind, queue, args, max_attempts, state, finalized_at) values ('send_sms', 'otp', '{}', 25, 'discarded', now())`,
		`insert into river.river_job (kind, queue, args, max_attempts, state, attempt) values ('send_sms', 'otp', '{}', 32767, 'retryable', 5), ('send_sms', 'otp', '{}', 32767, 'retryable', 4)`,
		`insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state, created_at)
			select (left(id_at(now() + interval '1 year')::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, 1, 'messaging', 1, '91', 'text', '{}', state, now() - interval '20 minutes' from unnest('{accepted,sent}'::text[]) state`,
		`insert into unsettled_messages select id from messages`,
		`insert into audit_checks (at, seq, hash, broken_seq, reason) values (to_timestamp(1700000000), 9, decode(repeat('00', 32), 'hex'), 7, 'changed')`,
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	d := metric.NewDatabase(pool)
	d.Budget = func(context.Context) (float64, error) { return 0.25, nil }
	got := gather(t, d)
	if age := got["heliograph_queue_oldest_seconds send"]; age < 90 || age > 3600 {
		t.Errorf("the oldest job is due for %v s, want 90", age)
	}
	if age := got["heliograph_messages_oldest_accepted_seconds"]; age < 1200 || age > 4800 {
		t.Errorf("the oldest message has waited for %v s, want 1200", age)
	}
	want := map[string]float64{
		"heliograph_audit_broken": 1, "heliograph_audit_checked_timestamp_seconds": 1_700_000_000, "heliograph_database_up": 1,
		"heliograph_jobs_discarded": 1, "heliograph_jobs_failing": 1, "heliograph_queue_jobs otp": 0, "heliograph_queue_jobs send": 3, "heliograph_queue_oldest_seconds otp": 0,
		"heliograph_partitions_late": 1, "heliograph_queues_paused": 1, "heliograph_sms_budget_used_ratio": 0.25, "heliograph_webhooks_disabled": 0, "heliograph_webhooks_failing": 0,
	}
	for name := range got {
		if _, fixed := want[name]; !fixed {
			delete(got, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("measures (-want +got):\n%s", diff)
	}
}

// A database that cannot be reached is reported as down, without an error.
func TestDatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	got := gather(t, metric.NewDatabase(pool))
	for name := range got {
		if name != "heliograph_database_up" && !strings.HasPrefix(name, "heliograph_pool_") {
			t.Errorf("%s is reported", name)
		}
	}
	if up, told := got["heliograph_database_up"]; up != 0 || !told {
		t.Errorf("heliograph_database_up is %v, %v", up, told)
	}
}

func TestMeasuresKeepToTheConventionsOfPrometheus(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewPedanticRegistry()
	metric.Register(registry)
	registry.MustRegister(metric.NewDatabase(dbtest.Pool(t)))
	metric.Job("convention", "done", time.Second)
	metric.Message("convention", "sent", time.Second)
	metric.Callback("delivered", time.Second)
	metric.Notification("sms", "sent")
	metric.Code("", "sent")
	metric.Limited("convention")
	metric.SDK("go", "built", time.Second)
	metric.Refused()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// gather returns the values of gauges and counters, by name and label value.
func gather(t *testing.T, c prometheus.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			values[name] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	return values
}
