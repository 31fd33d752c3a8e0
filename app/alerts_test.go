package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.yaml.in/yaml/v4"

	"heliograph/app/operation/metric"
)

var metricName = regexp.MustCompile(`heliograph_[a-z_]+`)

// described lists the names of the metrics that this program has.
func described(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	registry := prometheus.NewRegistry()
	metric.Register(recorder{registry, names})
	metric.RegisterStorage(recorder{registry, names}, func() bool { return true })
	metric.RegisterClock(recorder{registry, names}, func() time.Duration { return 0 })
	recorder{registry, names}.MustRegister(metric.NewDatabase(nil))
	if len(names) < 20 {
		t.Fatalf("only %d metrics are described", len(names))
	}
	return names
}

// recorder notes the names of what is registered.
type recorder struct {
	*prometheus.Registry
	names map[string]bool
}

var describedName = regexp.MustCompile(`fqName: "([^"]+)"`)

func (r recorder) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		descs := make(chan *prometheus.Desc, 100)
		c.Describe(descs)
		close(descs)
		for d := range descs {
			r.names[describedName.FindStringSubmatch(d.String())[1]] = true
		}
	}
}

// Alerts and the dashboard ask only for metrics that exist, and the handbook's table
// names those that alerts ask for.
func TestAlertsAskForMetricsThatExist(t *testing.T) {
	t.Parallel()
	names := described(t)
	metrics := topic(t, "metrics")
	for command, text := range map[string]string{"alerts": alerts, "dashboard": dashboard} {
		status, out, errs := invoke(t, nil, command)
		if status != 0 || out != text {
			t.Errorf("%s: status %d, %s", command, status, errs)
		}
		asked := metricName.FindAllString(text, -1)
		if len(asked) < 15 {
			t.Errorf("%s asks for %d metrics", command, len(asked))
		}
		for _, name := range asked {
			base := strings.TrimSuffix(name, "_bucket")
			if !names[base] {
				t.Errorf("%s asks for %s, which does not exist", command, name)
			}
			if !strings.Contains(metrics, "`"+base+"`") {
				t.Errorf("the handbook does not explain %s", base)
			}
		}
	}
	if !json.Valid([]byte(dashboard)) {
		t.Error("the dashboard is not JSON")
	}
}

// alarm is what promtool is to find about an alert: it is calm at one time and fires at
// another. Values of series are a minute apart.
type alarm struct {
	name        string
	series      []string // name, values, name, values
	calm, fires string
	labels      map[string]string // of the alert, beside its severity
}

var alarms = []alarm{
	{"HeliographDatabaseDown", []string{`heliograph_database_up{instance="a"}`, "1x3 0x10"}, "4m", "10m", nil},
	{"HeliographStorageDown", []string{`heliograph_storage_up{instance="a"}`, "1x3 0x20", `heliograph_storage_up{instance="b"}`, "1x30"}, "8m", "10m", nil},
	{"HeliographClockWrong", []string{`heliograph_clock_offset_seconds{instance="a"}`, "0.2x60", `heliograph_clock_offset_seconds{instance="b"}`, "-30x60"}, "3m", "10m", nil},
	{"HeliographCodesLate", []string{`heliograph_queue_oldest_seconds{queue="otp"}`, "10x5 20x20", `heliograph_queue_oldest_seconds{queue="send"}`, "100x30"}, "6m", "8m", nil},
	{"HeliographQueueLate", []string{`heliograph_queue_oldest_seconds{queue="send"}`, "10x5 400x20", `heliograph_queue_oldest_seconds{queue="otp"}`, "400x30"}, "8m", "12m", map[string]string{"queue": "send"}},
	{"HeliographQueuePaused", []string{"heliograph_queues_paused", "0x5 1x100"}, "60m", "70m", nil},
	{"HeliographJobsDiscarded", []string{"heliograph_jobs_discarded", "0x5 1x20"}, "9m", "12m", nil},
	{"HeliographJobsFailing", []string{"heliograph_jobs_failing", "0x5 3x20"}, "14m", "17m", nil},
	{"HeliographPartitionsLate", []string{"heliograph_partitions_late", "0x5 1x400"}, "360m", "370m", nil},
	{"HeliographMessagesStuck", []string{"heliograph_messages_oldest_accepted_seconds", "10x5 700x20"}, "9m", "12m", nil},
	{"HeliographHandoverSlow", []string{`heliograph_message_sent_seconds_bucket{le="10"}`, "0x60", `heliograph_message_sent_seconds_bucket{le="60"}`, "0+6x60", `heliograph_message_sent_seconds_bucket{le="+Inf"}`, "0+6x60"}, "5m", "20m", nil},
	{"HeliographNotificationsFail", []string{`heliograph_notifications_total{kind="email",outcome="failed"}`, "0+1x60", `heliograph_notifications_total{kind="email",outcome="sent"}`, "0+1x60", `heliograph_notifications_total{kind="sms",outcome="sent"}`, "0+1x60"}, "10m", "40m", map[string]string{"kind": "email"}},
	{"HeliographBudgetLow", []string{"heliograph_sms_budget_used_ratio", "0.5x5 0.9x20"}, "9m", "12m", nil},
	{"HeliographEnquiriesUndelivered", []string{"heliograph_enquiries_deliveries_failed", "0x10 2x50"}, "14m", "20m", nil},
	{"HeliographEnquiryWebhookFails", []string{`heliograph_contact_deliveries_total{outcome="again"}`, "0+3x100", `heliograph_contact_deliveries_total{outcome="delivered"}`, "0+2x100"}, "20m", "61m", nil},
	{"HeliographEnquiriesUnread", []string{"heliograph_enquiries_oldest_new_seconds", "170000+60x100"}, "40m", "60m", nil},
	{"HeliographDocumentationBroken", []string{"heliograph_documentation_broken", "0x5 1x20"}, "9m", "12m", nil},
	{"HeliographImportsFail", []string{`heliograph_imports_total{format="unknown",outcome="failed"}`, "0x10 0+1x60", `heliograph_imports_total{format="OpenAPI",outcome="ready"}`, "3x70"}, "10m", "40m", nil},
	{"HeliographAuditBroken", []string{"heliograph_audit_broken", "0x5 1x20"}, "5m", "6m", nil},
	{"HeliographAuditUnchecked", []string{"heliograph_audit_checked_timestamp_seconds", "0x300"}, "185m", "195m", nil},
	{"HeliographConnectionsShort", []string{`heliograph_pool_wait_seconds_total{instance="a"}`, "0+30x40", `heliograph_pool_wait_seconds_total{instance="b"}`, "0+3x40"}, "5m", "20m", map[string]string{"instance": "a"}},
	{"HeliographVacuumHeldBack", []string{"heliograph_database_oldest_transaction_seconds", "10x5 400x20"}, "9m", "12m", nil},
	{"HeliographDeadRows", []string{"heliograph_database_dead_rows", "10x5 200000x20"}, "14m", "17m", nil},
	{"HeliographPrivateDials", []string{"heliograph_dials_refused_total", "0x15 0+3x60"}, "15m", "40m", nil},
}

// Prometheus accepts the rules, and each of them fires when it should and not before.
func TestAlertsFire(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("promtool")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("promtool is not installed: see Debian's package prometheus")
	}
	folder := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rules := write("alerts.yaml", []byte(alerts))
	for _, args := range [][]string{{"check", "rules", rules}, {"test", "rules", write("test.yaml", firing(t))}} {
		if out, err := exec.CommandContext(t.Context(), tool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args[:2], " "), err, out)
		}
	}
}

// object is one of JSON, which is YAML as well.
type object map[string]any

// firing is the test of all alarms for promtool, with the texts of the alerts.
func firing(t *testing.T) []byte {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []struct {
				Alert       string            `yaml:"alert"`
				Labels      map[string]string `yaml:"labels"`
				Annotations map[string]string `yaml:"annotations"`
			} `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.Unmarshal([]byte(alerts), &file); err != nil {
		t.Fatal(err)
	}
	var tests []object
	for _, rule := range file.Groups[0].Rules {
		at := slices.IndexFunc(alarms, func(a alarm) bool { return a.name == rule.Alert })
		if at < 0 {
			t.Errorf("nothing makes %s fire", rule.Alert)
			continue
		}
		a := alarms[at]
		var series []object
		for i := 0; i < len(a.series); i += 2 {
			series = append(series, object{"series": a.series[i], "values": a.series[i+1]})
		}
		for label, value := range a.labels {
			rule.Labels[label] = value
			for name, text := range rule.Annotations {
				rule.Annotations[name] = strings.ReplaceAll(text, "{{ $labels."+label+" }}", value)
			}
		}
		tests = append(tests, object{"interval": "1m", "input_series": series, "alert_rule_test": []object{
			{"eval_time": a.calm, "alertname": a.name, "exp_alerts": []object{}},
			{"eval_time": a.fires, "alertname": a.name, "exp_alerts": []object{{"exp_labels": rule.Labels, "exp_annotations": rule.Annotations}}},
		}})
	}
	if len(tests) != len(alarms) {
		t.Errorf("%d alerts have a test, and %d are described", len(tests), len(alarms))
	}
	text, err := json.Marshal(object{"rule_files": []string{"alerts.yaml"}, "evaluation_interval": "1m", "tests": tests})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
