package identity

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"heliograph/db/dbtest"
)

// A registration that nobody verified is forgotten when its days are over, and
// only then; whoever registers again or verifies at that moment keeps it.
func TestUnverifiedAreForgotten(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Pool(t))
	const week = 7 * 24 * time.Hour
	challenges := map[string]Challenge{}
	for i, name := range []string{"stale", "young", "again", "verified", "suspended"} {
		challenges[name] = b.register(i)
	}
	if _, err := b.Verify(t.Context(), challenges["verified"], b.code(challenges["verified"]), visitor); err != nil {
		t.Fatal(err)
	}
	b.exec(`update organisations set status = 'suspended' where id = (select organisation_id from organisation_users where email = 'asha4@example.com')`)
	b.exec(`update organisations set created_at = now() - interval '8 days', updated_at = now() - interval '8 days'`)
	b.exec(`update organisations set updated_at = now() - interval '6 days' where id = (select organisation_id from organisation_users where email = 'asha1@example.com')`)
	again := b.register(2)
	if err := deleteUnverified(t.Context(), b.db, week); err != nil {
		t.Fatal(err)
	}
	var left string
	if err := b.db.QueryRow(t.Context(), `select string_agg(email, ' ' order by email) from organisation_users`).Scan(&left); err != nil || left != "asha1@example.com asha2@example.com asha3@example.com asha4@example.com" {
		t.Errorf("left are %s (%v)", left, err)
	}
	if n := b.count(`select count(*) from organisations`); n != 4 {
		t.Errorf("%d organisations", n)
	}
	if n := b.count(`select count(*) from audit_entries where action = 'organisation.forget' and actor = 'system'`); n != 1 {
		t.Errorf("%d entries in the audit", n)
	}
	if _, err := b.Verify(t.Context(), challenges["stale"], "123456", visitor); !wrongCode(err) {
		t.Errorf("a code of a registration that is forgotten gives %v", err)
	}
	fresh := b.register(0)
	for _, c := range []Challenge{again, fresh} {
		if _, err := b.Verify(t.Context(), c, b.code(c), visitor); err != nil {
			t.Errorf("who registered again cannot verify: %v", err)
		}
	}
}

// Of many registrations that are verified while they are forgotten, each is
// either, whole.
func TestForgottenOrVerified(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Pool(t))
	challenges, codes := make([]Challenge, 20), make([]string, 20)
	for i := range challenges {
		challenges[i] = b.register(i)
		codes[i] = b.code(challenges[i])
	}
	b.exec(`update organisations set updated_at = now() - interval '8 days'`)
	var wg sync.WaitGroup
	var verified atomic.Int64
	for i, c := range challenges {
		wg.Go(func() {
			switch _, err := b.Verify(t.Context(), c, codes[i], Visitor{Client: fmt.Sprint("client ", i)}); {
			case err == nil:
				verified.Add(1)
			case !wrongCode(err):
				t.Errorf("registration %d: %v", i, err)
			}
		})
	}
	wg.Go(func() {
		if err := deleteUnverified(t.Context(), b.db, 7*24*time.Hour); err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
	if n := b.count(`select count(*) from organisations o join organisation_users u on u.organisation_id = o.id where o.status = 'active' and u.active`); int64(n) != verified.Load() {
		t.Errorf("%d are active, %d were verified", n, verified.Load())
	}
	if n := b.count(`select count(*) from organisations`) + b.count(`select count(*) from audit_entries where action = 'organisation.forget'`); n != 20 {
		t.Errorf("%d organisations are there or forgotten, want 20", n)
	}
}
