package account_test

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/dbtest"
)

// compare measures the same request for an address that has an account and
// for one that has none, in turns and with the limits lifted, and reports the
// medians and their difference in milliseconds.
func compare(b *testing.B, prepare func(s *webtest.Site), ask func(c *webtest.Client, email string)) {
	pool := dbtest.Pool(b)
	s := webtest.New(b, func(d *web.Deps) { d.DB = pool })
	owner := identity.NewOwner{Name: "Asha", Email: asha, Mobile: mobile, Password: webtest.Password}
	if _, err := s.Directory.CreateOrganisation(b.Context(), identity.NewOrganisation{Name: "Lighthouse", Owner: owner}, "system"); err != nil {
		b.Fatal(err)
	}
	c := s.Client(b)
	c.Get("/login")
	times := map[string][]time.Duration{}
	b.ResetTimer()
	for range b.N {
		for _, email := range []string{asha, "nobody@example.com"} {
			if _, err := pool.Exec(b.Context(), `delete from rate_limits`); err != nil {
				b.Fatal(err)
			}
			prepare(s)
			start := time.Now()
			ask(c, email)
			times[email] = append(times[email], time.Since(start))
		}
	}
	median := func(email string) float64 {
		slices.Sort(times[email])
		return float64(times[email][len(times[email])/2].Microseconds()) / 1000
	}
	known, unknown := median(asha), median("nobody@example.com")
	b.ReportMetric(known, "known-ms")
	b.ReportMetric(unknown, "unknown-ms")
	b.ReportMetric(known-unknown, "difference-ms")
}

// BenchmarkForgotPassword asks for a code and guesses it.
func BenchmarkForgotPassword(b *testing.B) {
	for name, ask := range map[string]func(c *webtest.Client, email string){
		"ask": func(c *webtest.Client, email string) { c.Post("/forgot-password", url.Values{"email": {email}}) },
		"ask and guess": func(c *webtest.Client, email string) {
			c.Post("/forgot-password", url.Values{"email": {email}})
			c.Post("/forgot-password/reset", url.Values{"code": {"123456"}, "password": {password}, "confirmation": {password}})
		},
	} {
		b.Run(name, func(b *testing.B) { compare(b, func(*webtest.Site) {}, ask) })
	}
}

// BenchmarkSignIn signs in with a wrong password.
func BenchmarkSignIn(b *testing.B) {
	unlock := func(s *webtest.Site) {
		if _, err := s.DB.Exec(b.Context(), `update organisation_users set failed_sign_ins = 0, locked_until = null`); err != nil {
			b.Fatal(err)
		}
	}
	compare(b, unlock, func(c *webtest.Client, email string) {
		c.Post("/login", url.Values{"email": {email}, "password": {"wrong"}})
	})
}
