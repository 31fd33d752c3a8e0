package audit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/audit"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/queries"
)

func TestCheckStoresWhatItFound(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if _, err := queries.AuditCheckGet(t.Context(), tx); !db.IsNoRows(err) {
		t.Fatalf("before the first check: %v", err)
	}
	record(t, tx, 3)
	check := func() (seq int64, broken *int64) {
		t.Helper()
		if err := audit.Check(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
		found, err := queries.AuditCheckGet(t.Context(), tx)
		if err != nil {
			t.Fatal(err)
		}
		return found.Head.Seq, found.BrokenSeq
	}
	if seq, broken := check(); seq != 3 || broken != nil {
		t.Errorf("three entries give %d, %v", seq, broken)
	}
	record(t, tx, 1)
	if seq, _ := check(); seq != 3 {
		t.Errorf("a check within a day reads again: %d", seq)
	}
	for _, sql := range []string{
		`update audit_checks set at = at - interval '25 hours'`,
		`set local session_replication_role = replica`,
		`update audit_entries set actor = 'admin:2' where seq = 2`,
	} {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if seq, broken := check(); seq != 4 || broken == nil || *broken != 2 {
		t.Errorf("a changed entry gives %d, %v; want 4 and 2", seq, broken)
	}
}

func TestChangesNamesWhatDiffers(t *testing.T) {
	t.Parallel()
	got := audit.Changes(map[string]any{"role": "viewer", "active": true, "gone": 1}, map[string]any{"role": "editor", "active": true, "new": 2})
	want := map[string]any{"before": map[string]any{"role": "viewer", "new": nil}, "after": map[string]any{"role": "editor", "new": 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
