package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/metric"
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

// Alerts and the dashboard ask only for metrics that exist, and the README's table
// names those that alerts ask for.
func TestAlertsAskForMetricsThatExist(t *testing.T) {
	t.Parallel()
	names := described(t)
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
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
			if !strings.Contains(string(readme), "`"+base+"`") {
				t.Errorf("the README does not explain %s", base)
			}
		}
	}
	if !json.Valid([]byte(dashboard)) {
		t.Error("the dashboard is not JSON")
	}
}

// Prometheus accepts the rules, and they fire when they should.
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
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rules := write("alerts.yaml", alerts)
	for _, args := range [][]string{{"check", "rules", rules}, {"test", "rules", write("test.yaml", firing)}} {
		if out, err := exec.CommandContext(t.Context(), tool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args[:2], " "), err, out)
		}
	}
}

// firing is a test of promtool: an hour of trouble in some metrics, and of peace in
// others.
const firing = `
rule_files: [alerts.yaml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'heliograph_database_up{instance="a"}', values: '1x3 0x10'}
      - {series: 'heliograph_queue_oldest_seconds{queue="otp"}', values: '20x20'}
      - {series: 'heliograph_queue_oldest_seconds{queue="send"}', values: '10x20'}
      - {series: 'heliograph_jobs_failing', values: '0x20'}
      - {series: 'heliograph_clock_offset_seconds{instance="a"}', values: '0.2x60'}
      - {series: 'heliograph_clock_offset_seconds{instance="b"}', values: '-30x60'}
      - {series: 'heliograph_messages_oldest_accepted_seconds', values: '700x20'}
      - {series: 'heliograph_notifications_total{kind="email",outcome="failed"}', values: '0+1x60'}
      - {series: 'heliograph_notifications_total{kind="email",outcome="sent"}', values: '0+1x60'}
      - {series: 'heliograph_enquiries_deliveries_failed{instance="a"}', values: '0x10 2x50'}
      - {series: 'heliograph_enquiries_oldest_new_seconds', values: '170000+60x100'}
      - {series: 'heliograph_contact_deliveries_total{outcome="again"}', values: '0+3x100'}
      - {series: 'heliograph_contact_deliveries_total{outcome="delivered"}', values: '0+2x100'}
    alert_rule_test:
      - {eval_time: 3m, alertname: HeliographDatabaseDown, exp_alerts: []}
      - eval_time: 10m
        alertname: HeliographDatabaseDown
        exp_alerts:
          - exp_labels: {severity: page}
            exp_annotations: {summary: The database does not answer, description: "Check PostgreSQL, its disk and its connections. Nothing is accepted until it answers."}
      - eval_time: 10m
        alertname: HeliographCodesLate
        exp_alerts:
          - exp_labels: {severity: page}
            exp_annotations: {summary: One-time passwords wait, description: "Check that a worker runs the queue otp, and see heliograph jobs failing."}
      - {eval_time: 10m, alertname: HeliographQueueLate, exp_alerts: []}
      - {eval_time: 3m, alertname: HeliographClockWrong, exp_alerts: []}
      - eval_time: 10m
        alertname: HeliographClockWrong
        exp_alerts:
          - exp_labels: {severity: ticket}
            exp_annotations: {summary: The clock of a process differs from the database's, description: "Synchronise the clocks of both machines, for example with chrony. From five minutes on, workers on the machine wait."}
      - {eval_time: 15m, alertname: HeliographJobsFailing, exp_alerts: []}
      - eval_time: 15m
        alertname: HeliographMessagesStuck
        exp_alerts:
          - exp_labels: {severity: page}
            exp_annotations: {summary: Accepted messages wait for their carrier, description: Check the carriers and the queue send.}
      - eval_time: 40m
        alertname: HeliographNotificationsFail
        exp_alerts:
          - exp_labels: {severity: ticket, kind: email}
            exp_annotations: {summary: Codes or emails are not delivered, description: See /admin/notifications for the answers of the provider.}
      - {eval_time: 14m, alertname: HeliographEnquiriesUndelivered, exp_alerts: []}
      - eval_time: 20m
        alertname: HeliographEnquiriesUndelivered
        exp_alerts:
          - exp_labels: {severity: ticket}
            exp_annotations: {summary: Enquiries did not reach their recipient, description: "Nobody may have read them. See /admin/contacts?delivery=failed for the answers, fix the receiver and send them again there."}
      - {eval_time: 40m, alertname: HeliographEnquiriesUnread, exp_alerts: []}
      - eval_time: 60m
        alertname: HeliographEnquiriesUnread
        exp_alerts:
          - exp_labels: {severity: ticket}
            exp_annotations: {summary: An enquiry has been new for two days, description: "Answer it at /admin/contacts?status=new&order=asc, or change its status."}
      - eval_time: 61m
        alertname: HeliographEnquiryWebhookFails
        exp_alerts:
          - exp_labels: {severity: ticket}
            exp_annotations: {summary: The webhook of enquiries fails, description: "Enquiries wait and are tried for two weeks. Check the receiver, and its URL at /admin/contacts/settings."}
`
