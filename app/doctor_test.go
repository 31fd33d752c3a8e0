package main

import (
	"strings"
	"testing"
	"time"

	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// The doctor finds nothing on a healthy platform, and says of each problem what to
// do about it.
func TestDoctor(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	environ := []string{"DATABASE_URL=" + pool.Config().ConnString(), "STORAGE_FOLDER=" + t.TempDir(), "ENCRYPTION_KEYS=k1:" + strings.Repeat("A", 43) + "="}
	if status, out, errs := invoke(t, environ, "doctor"); status != 0 || strings.Contains(out, "problem") || strings.Count(out, "ok  ") < 10 {
		t.Errorf("a healthy platform gives %d:\n%s%s", status, out, errs)
	}
	if _, err := pool.Exec(t.Context(), `insert into river.river_job (args, kind, max_attempts, queue, state, scheduled_at) values ('{}', 'x', 1, 'send', 'available', now() - interval '1 hour')`); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := invoke(t, environ, "doctor"); status != 1 || !strings.Contains(out, "problem  queues: 1 jobs of the queue send wait") || !strings.Contains(out, "Check that a worker runs") {
		t.Errorf("a queue without a worker gives %d:\n%s", status, out)
	}
	if status, out, _ := invoke(t, []string{"DATABASE_URL=x", "HELIOGRAPH_ENV=production"}, "doctor"); status != 1 || !strings.Contains(out, "problem  configuration: ") {
		t.Errorf("a wrong configuration gives %d:\n%s", status, out)
	}
	long := time.Now().Add(-time.Hour)
	seq := int64(7)
	var found []string
	for _, d := range checkWork(models.Overview{OldestAcceptedAt: &long, AuditBrokenSeq: &seq, JobsFailing: 3, PartitionsLate: 2, NotificationsFailed: 2}, time.Now()) {
		if d.problem != "" && d.remedy != "" {
			found = append(found, d.part)
		}
	}
	if got := strings.Join(found, ", "); got != "messages, audit, partitions, failing jobs, emails and codes" {
		t.Errorf("the problems are %s", got)
	}
}

// An administrator who lost the password and the role gets both back.
func TestAdminReset(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	environ := []string{"DATABASE_URL=" + pool.Config().ConnString(), "STORAGE_FOLDER=" + t.TempDir(), "ENCRYPTION_KEYS=k1:" + strings.Repeat("A", 43) + "="}
	if status, _, errs := invoke(t, environ, "admin", "create", "--email", "asha@example.com", "--name", "Asha", "--role", "viewer"); status != 0 {
		t.Fatal(errs)
	}
	if _, err := pool.Exec(t.Context(), `update admin_users set active = false, locked_until = now() + interval '1 hour'`); err != nil {
		t.Fatal(err)
	}
	status, out, errs := invoke(t, environ, "admin", "reset", "--email", "Asha@example.com")
	if status != 0 || !strings.Contains(out, "is a super_admin") || !strings.Contains(out, "Password, shown this once: ") {
		t.Fatalf("resetting gives %d %s%s", status, out, errs)
	}
	var good bool
	if err := pool.QueryRow(t.Context(), `select active and role = 'super_admin' and locked_until is null and session_version = 2 from admin_users`).Scan(&good); err != nil || !good {
		t.Errorf("the account is not recovered: %v", err)
	}
	if status, _, errs := invoke(t, environ, "admin", "reset", "--email", "nobody@example.com"); status != 1 || !strings.Contains(errs, "admin create") {
		t.Errorf("an unknown address gives %d %s", status, errs)
	}
}
