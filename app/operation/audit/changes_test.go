package audit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/operation/audit"
)

func TestChangesNamesWhatDiffers(t *testing.T) {
	t.Parallel()
	got := audit.Changes(map[string]any{"role": "viewer", "active": true, "gone": 1}, map[string]any{"role": "editor", "active": true, "new": 2})
	want := map[string]any{"before": map[string]any{"role": "viewer", "new": nil}, "after": map[string]any{"role": "editor", "new": 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
