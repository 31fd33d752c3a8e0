package identity

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"heliograph/app/fault"
	"heliograph/app/people/otp"
	"heliograph/db/dbtest"
)

// A block of numbers is held back for an hour when its codes are not entered.
func TestConversionMonitor(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	add := func(phone string, verified bool) {
		b.exec(`
			insert into otp_challenges (id, purpose, phone, expires_at, created_at, sent_at, consumed_at, verified_at)
			select gen_random_uuid(), 'registration', $1, now(), at, at, at, case when $2 then at end from (select now() - interval '5 minutes') as t (at)`, phone, verified)
	}
	for i := range 50 {
		if err := b.takeNumberLimits(t.Context(), "+919812377777"); err != nil {
			t.Fatalf("after %d codes: %v", i, err)
		}
		b.exec(`delete from rate_limits`)
		add(fmt.Sprintf("+9198123%05d", i), i < 14) // 28 percent
	}
	if err := b.takeNumberLimits(t.Context(), "+919812377777"); fault.KindOf(err) != fault.Limited || fault.As(err).RetryAfter != time.Hour {
		t.Errorf("a prefix of 28 %% gives %v", err)
	}
	if err := b.takeNumberLimits(t.Context(), "+919912377777"); err != nil {
		t.Errorf("another prefix gives %v", err)
	}
	b.exec(`delete from rate_limits`)
	add("+919812300000", true)
	add("+919812300000", true)
	if err := b.takeNumberLimits(t.Context(), "+919812377777"); fault.KindOf(err) != fault.Limited {
		t.Errorf("a block that does better within the hour gives %v", err)
	}
	b.exec(`delete from rate_limits`)
	b.exec(`update otp_blocks set until = now()`)
	if err := b.takeNumberLimits(t.Context(), "+919812377777"); err != nil {
		t.Errorf("a prefix of 30 %% gives %v", err)
	}
}

// However many find out at the same moment that codes to a block of numbers are
// not entered, all are refused, and administrators hear of it once.
func TestConversionIsToldOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Pool(t))
	b.exec(`insert into admin_users (name, email, password_hash, role) values ('Asha', 'asha@example.com', '', 'super_admin')`)
	b.exec(`
		insert into otp_challenges (id, purpose, phone, expires_at, created_at, sent_at)
		select gen_random_uuid(), 'registration', '+9198123' || lpad(n::text, 5, '0'), now(), now() - interval '5 minutes', now() - interval '5 minutes'
		from generate_series(1, $1) as n`, otp.Sample)
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			err := b.takeNumberLimits(t.Context(), fmt.Sprintf("+9198123%05d", 50_000+i))
			if f := fault.As(err); f == nil || f.Code != "otp_conversion" || f.RetryAfter <= 0 || f.RetryAfter > time.Hour {
				t.Errorf("number %d gives %v", i, err)
			}
		})
	}
	wg.Wait()
	for what, sql := range map[string]string{
		"letters": `select count(*) from notifications where purpose = 'conversion' and recipient = 'asha@example.com'`,
		"entries": `select count(*) from audit_entries where action = 'otp.hold_back' and target = 'phone_prefix:+919812'`,
	} {
		if n := b.count(sql); n != 1 {
			t.Errorf("%d %s", n, what)
		}
	}
}
