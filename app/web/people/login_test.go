package people_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
)

func credentials(email, password string) url.Values {
	return url.Values{"email": {email}, "password": {password}}
}

func TestLoginWithAndWithoutScript(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	identitytest.AddAdmin(t, site.DB, "Asha", "asha@example.com", identity.Viewer)
	plain := site.Client(t)
	if a := plain.Get("/admin"); a.Status != 303 || a.Header.Get("Location") != "/admin/login?next=%2Fadmin" {
		t.Errorf("a stranger at /admin gets %d to %s", a.Status, a.Header.Get("Location"))
	}
	shown := plain.Get("/admin/login?next=/admin/audit%3Fpage=2")
	if shown.Status != 200 || shown.Find("form#login[method=post]").Length() != 1 || shown.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("the form is not shown: %d %s", shown.Status, shown.Body)
	}
	next, _ := shown.Find("input[name=next]").Attr("value")

	for _, c := range []*webtest.Client{plain, plain.HX()} {
		a := c.Post("/admin/login", credentials("", ""))
		if a.Status != 422 || a.Find("input[name=email][aria-invalid=true]").Length() != 1 || a.Find("#field-password-error").Length() != 1 {
			t.Errorf("empty fields give %d %s", a.Status, a.Body)
		}
		a = c.Post("/admin/login", credentials("asha@example.com", "<b>wrong</b>"))
		value, _ := a.Find("input[name=email]").Attr("value")
		if a.Status != 422 || value != "asha@example.com" || a.Find("[role=alert]").Length() != 1 || strings.Contains(a.Body, "wrong</b>") {
			t.Errorf("a wrong password gives %d %s", a.Status, a.Body)
		}
		whole := strings.Contains(a.Body, "<!doctype html>") || strings.Contains(a.Body, "<!DOCTYPE html>")
		if whole != (c == plain) {
			t.Errorf("whole page: %t", whole)
		}
		if a.Header.Values("Vary")[0] != page.VaryFragment {
			t.Errorf("the answer varies by %v", a.Header.Values("Vary"))
		}
	}

	form := credentials(" Asha@Example.com", webtest.Password)
	form.Set("next", next)
	a := plain.Post("/admin/login", form)
	if a.Status != 303 || a.Header.Get("Location") != "/admin/audit?page=2" {
		t.Fatalf("signing in gives %d to %s", a.Status, a.Header.Get("Location"))
	}
	cookie := strings.Join(a.Header.Values("Set-Cookie"), "\n")
	for _, want := range []string{"heliograph-admin=", "HttpOnly", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie lacks %s: %s", want, cookie)
		}
	}
	if a := plain.Get("/admin/login"); a.Status != 303 || a.Header.Get("Location") != "/admin" {
		t.Errorf("the form is shown to who is signed in: %d", a.Status)
	}

	scripted := site.Client(t).HX()
	scripted.Get("/admin/login")
	a = scripted.Post("/admin/login", credentials("asha@example.com", webtest.Password))
	if a.Status != 204 || a.Header.Get("HX-Redirect") != "/admin" {
		t.Errorf("signing in with htmx gives %d %v", a.Status, a.Header)
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Viewer)
	stolen := c.Cookie("heliograph-admin")
	if a := c.Post("/admin/logout", nil); a.Status != 303 || a.Header.Get("Location") != "/admin/login" || c.Cookie("heliograph-admin") != "" {
		t.Errorf("signing out gives %d to %s", a.Status, a.Header.Get("Location"))
	}
	c.SetCookie("heliograph-admin", stolen)
	if a := c.Get("/admin"); a.Status != 303 {
		t.Errorf("a copy of the cookie still opens /admin: %d", a.Status)
	}
	if a := c.Get("/admin/logout"); a.Status != 405 {
		t.Errorf("GET signs out: %d", a.Status)
	}
}

func TestLoginIsLimited(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.Client(t)
	c.Get("/admin/login")
	attempt := func(email string) *webtest.Answer { return c.Post("/admin/login", credentials(email, "x")) }
	for i := range 10 {
		if a := attempt("asha@example.com"); a.Status != 422 {
			t.Fatalf("attempt %d gives %d", i+1, a.Status)
		}
	}
	if a := attempt(" ASHA@example.com"); a.Status != 429 || a.Header.Get("Retry-After") != "90" {
		t.Errorf("the eleventh gives %d after %s", a.Status, a.Header.Get("Retry-After"))
	}
	c.Address = "[2001:db8:1:2::1]:4000"
	for i := range 30 {
		if a := attempt(fmt.Sprintf("nobody%d@example.com", i)); a.Status != 422 {
			t.Fatalf("attempt %d from one network gives %d", i+1, a.Status)
		}
	}
	c.Address = "[2001:db8:1:2:3::4]:4000"
	if a := c.HX().Post("/admin/login", credentials("ravi@example.com", "x")); a.Status != 429 || a.Find("main [role=alert]").Length() != 1 || a.Find("header").Length() != 0 || a.Header.Get("HX-Retarget") != "#main" {
		t.Errorf("the next from the same network gives %d %s", a.Status, a.Body)
	}
	c.Address = "[2001:db8:1:3::1]:4000"
	if a := attempt("ravi@example.com"); a.Status != 422 {
		t.Errorf("another network pays for the first: %d", a.Status)
	}
}

// Nobody can keep somebody out of a browser that signed in before by being
// wrong on purpose; guessing there is limited as anywhere, and ends with the
// password that was known.
func TestKnownBrowsersAreNotLockedOut(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	mine := site.SignInAdmin(t, identity.Viewer)
	const email = identity.Viewer + "@example.com"
	sign := func(c *webtest.Client, email, password string) int {
		c.Get("/admin/login")
		return c.Post("/admin/login", credentials(email, password)).Status
	}
	mine.Post("/admin/logout", nil)
	attacker := site.Client(t)
	attacker.Address = "198.51.100.7:4000"
	for range 12 {
		sign(attacker, email, "wrong on purpose")
	}
	if _, err := site.DB.Exec(t.Context(), `update admin_users set failed_sign_ins = 20, locked_until = now() + interval '15 minutes'`); err != nil {
		t.Fatal(err)
	}
	if status := sign(site.Client(t), email, webtest.Password); status != 429 {
		t.Errorf("another browser gets %d while the account is locked", status)
	}
	thief := site.Client(t) // of the cookie
	thief.SetCookie("heliograph-known-admin", mine.Cookie("heliograph-known-admin"))
	if status := sign(mine, " Viewer@Example.com", webtest.Password); status != 303 {
		t.Errorf("the browser that is known gets %d", status)
	}
	for i := range 9 {
		if status := sign(thief, email, "wrong again"); status != 422 {
			t.Fatalf("guess %d at the known browser gives %d", i+1, status)
		}
	}
	if status := sign(thief, email, webtest.Password); status != 429 {
		t.Errorf("one guess too many gives %d", status)
	}
	// With the sessions ends what the browser was known by.
	if _, err := site.DB.Exec(t.Context(), `delete from rate_limits`); err != nil {
		t.Fatal(err)
	}
	if _, err := site.DB.Exec(t.Context(), `update admin_users set session_version = session_version + 1, locked_until = now() + interval '15 minutes'`); err != nil {
		t.Fatal(err)
	}
	if status := sign(thief, email, webtest.Password); status != 422 {
		t.Errorf("after another password the previous browser gets %d while the account is locked", status)
	}
}

// Both areas share the form; a session of one is none in the other.
func TestAreasAreApart(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Developer)
	if a := c.Get("/account"); a.Status != 200 || a.Find(".nav-account small").Text() != "Developer" {
		t.Errorf("the account gives %d %s", a.Status, a.Body)
	}
	if a := c.Get("/admin"); a.Status != 303 || a.Header.Get("Location") != "/admin/login?next=%2Fadmin" {
		t.Errorf("a user of an organisation at /admin gets %d", a.Status)
	}
	admin := site.SignInAdmin(t, identity.SuperAdmin)
	if a := admin.Get("/account"); a.Status != 303 || a.Header.Get("Location") != "/login?next=%2Faccount" {
		t.Errorf("an administrator at /account gets %d", a.Status)
	}
	// A cookie renamed is signed with the other area's key.
	admin.SetCookie("heliograph", admin.Cookie("heliograph-admin"))
	if a := admin.Get("/account"); a.Status != 303 {
		t.Errorf("a renamed cookie at /account gives %d", a.Status)
	}
	stranger := site.Client(t)
	shown := stranger.Get("/login?next=/account/keys")
	if next, _ := shown.Find("input[name=next]").Attr("value"); next != "/account/keys" {
		t.Errorf("the form goes on to %q", next)
	}
	if a := c.Post("/logout", nil); a.Status != 303 || a.Header.Get("Location") != "/login" || c.Cookie("heliograph") != "" {
		t.Errorf("signing out gives %d to %s", a.Status, a.Header.Get("Location"))
	}
}
