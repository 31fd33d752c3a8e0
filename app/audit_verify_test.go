package main

import (
	"strings"
	"testing"

	"heliograph/db/dbtest"
)

func TestAuditVerifyFindsWhatWasChanged(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	environ := settings(t, pool.Config().ConnString())
	if status, _, errs := invoke(t, environ, "admin", "create", "--name", "Asha", "--email", "asha@example.com"); status != 0 {
		t.Fatal(errs)
	}
	if status, out, errs := invoke(t, environ, "audit", "verify"); status != 0 || !strings.HasPrefix(out, "1 entries hold.") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if status, out, errs := invoke(t, environ, "audit", "accept"); status != 2 || !strings.Contains(errs, "--reason is needed") {
		t.Errorf("without a reason status %d: %s%s", status, out, errs)
	}
	if status, out, errs := invoke(t, environ, "audit", "accept", "--reason", "none"); status != 1 || !strings.Contains(errs, "nothing to accept") {
		t.Errorf("where nothing differs status %d: %s%s", status, out, errs)
	}
	for _, sql := range []string{`alter table audit_entries disable trigger immutable`, `update audit_entries set actor = 'nobody'`} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if status, out, errs := invoke(t, environ, "audit", "verify"); status != 1 || !strings.Contains(errs, "audit entry 1: ") {
		t.Errorf("status %d, want 1 and the entry: %s%s", status, out, errs)
	}
}
