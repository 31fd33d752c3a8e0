package jobs

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What operators and partners rely on: the audit is verified and anchored every
// hour, a changed secret is sealed with the new key within a day, a template that
// was paused is settled within minutes, old logs go within the hour, pictures that
// nobody asks for go within a month, what lost its job gets one, and owners learn
// that a number has no carrier.
func TestPeriodicJobs(t *testing.T) {
	t.Parallel()
	got := map[string]time.Duration{}
	for _, p := range intervals {
		got[p.args.Kind()] = p.every
	}
	want := map[string]time.Duration{
		"check_audit": time.Hour, "check_upstreams": time.Minute, "check_watches": time.Minute, "count_usage": 15 * time.Minute, "housekeep": time.Hour, "purge_logs": time.Hour, "reseal_secrets": 24 * time.Hour,
		"settle_templates": 5 * time.Minute, "settle_work": time.Minute, "sweep_cards": 24 * time.Hour, "sweep_gallery": time.Hour, "sweep_media": 10 * time.Minute, "sweep_sdks": 24 * time.Hour, "sync_assets": 5 * time.Minute, "sync_templates": 15 * time.Minute,
		"email_reviews":   time.Minute,
		"tell_stranded":   time.Hour,
		"collect_insight": 15 * time.Minute,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("periodic jobs (-want +got):\n%s", diff)
	}
	if n := len(periodic()); n != len(want) {
		t.Errorf("%d periodic jobs, want %d", n, len(want))
	}
}
