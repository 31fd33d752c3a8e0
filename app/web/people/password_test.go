package people_test

import (
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

func email(address string) url.Values { return url.Values{"email": {address}} }

// What differs between two answers by design: tokens, nonces and ids.
var passing = regexp.MustCompile(`(name="_csrf" value="|nonce-?="?|value="|X-CSRF-Token&#34;:&#34;)[^"&]+["&]`)

// Whether an address is an administrator's shows neither in what comes back
// nor in how long it takes.
func TestForgotTellsNothing(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	site.SignInAdmin(t, identity.Viewer)
	took := map[string][]time.Duration{}
	bodies := map[string]string{}
	for i, address := range []string{"viewer@example.com", "nobody@example.com", "viewer@example.com", "nobody@example.com", "viewer@example.com", "nobody@example.com"} {
		c := site.Client(t)
		c.Get("/admin/forgot-password")
		start := time.Now()
		a := c.Post("/admin/forgot-password", email(address))
		took[address] = append(took[address], time.Since(start))
		if a.Status != 303 {
			t.Fatalf("try %d gives %d: %s", i, a.Status, a.Find("main").Text())
		}
		bodies[address] = a.Header.Get("Location") + passing.ReplaceAllString(c.Get(a.Header.Get("Location")).Body, "$1")
	}
	if bodies["viewer@example.com"] != bodies["nobody@example.com"] {
		t.Error("the answers differ")
	}
	// A busy machine adds to single tries; the quickest is what the page itself takes.
	if known, unknown := slices.Min(took["viewer@example.com"]), slices.Min(took["nobody@example.com"]); (known - unknown).Abs() > 60*time.Millisecond {
		t.Errorf("a known address takes %v, an unknown one %v", known, unknown)
	}
	var letters int
	if err := site.DB.QueryRow(t.Context(), `select count(*) from notifications where recipient = 'viewer@example.com'`).Scan(&letters); err != nil || letters != 3 {
		t.Errorf("%d emails (%v), want 3", letters, err)
	}
}

func TestForgotIsLimited(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.Client(t)
	c.Get("/admin/forgot-password")
	try := func(address string) int { return c.Post("/admin/forgot-password", email(address)).Status }
	for i := range 3 {
		if got := try("nobody@example.com"); got != 303 {
			t.Fatalf("try %d gives %d", i+1, got)
		}
	}
	if got := try(" Nobody@example.com"); got != 429 {
		t.Errorf("the fourth for one address gives %d", got)
	}
	if got := try("asha"); got != 422 {
		t.Errorf("no address gives %d", got)
	}
	for range 5 {
		try("x")
	}
	if got := try("mira@example.com"); got != 429 {
		t.Errorf("the eleventh from one network gives %d", got)
	}
}

func TestResetByLink(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	signedIn := site.SignInAdmin(t, identity.Viewer)
	webtest.Exec(t, site, `insert into admin_links (hash, admin_user_id, purpose, expires_at) select sha256('token-of-the-link'), min(id), 'reset', now() + interval '1 hour' from admin_users`)
	c := site.Client(t)
	shown := c.Get("/admin/reset-password?token=token-of-the-link")
	if shown.Status != 200 || shown.Find("input[name=token]").AttrOr("value", "") != "token-of-the-link" || shown.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("the form is not shown: %d", shown.Status)
	}
	send := func(password string) *webtest.Answer {
		return c.Post("/admin/reset-password", url.Values{"token": {"token-of-the-link"}, "password": {password}, "confirmation": {password}})
	}
	for _, password := range []string{"", "short", webtest.Password} {
		if a := send(password); a.Status != 422 || a.Find("#field-password-error").Length() != 1 || a.Find("input[name=token]").Length() != 1 {
			t.Errorf("the password %q gives %d", password, a.Status)
		}
	}
	a := send(webtest.Password + " again")
	if a.Status != 303 || c.Get(a.Header.Get("Location")).Find("h1").Text() != "The password is set" {
		t.Fatalf("setting it gives %d to %s", a.Status, a.Header.Get("Location"))
	}
	if a := signedIn.Get("/admin"); a.Status != 303 {
		t.Errorf("an earlier session gets %d", a.Status)
	}
	for _, token := range []string{"token-of-the-link", "", "nonsense"} {
		if a := c.Get("/admin/reset-password?token=" + token); a.Status != 410 || a.Find("main a[href='/admin/forgot-password']").Length() != 1 {
			t.Errorf("the link %q gives %d", token, a.Status)
		}
	}
	if a := send("yet another one here"); a.Status != 410 {
		t.Errorf("the link again gives %d", a.Status)
	}
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Editor)
	elsewhere := site.Client(t)
	elsewhere.Get("/admin/login")
	elsewhere.Post("/admin/login", url.Values{"email": {"editor@example.com"}, "password": {webtest.Password}})
	if a := elsewhere.Get("/admin"); a.Status != 200 {
		t.Fatalf("the other browser gets %d", a.Status)
	}
	c.Get("/admin/change-password")
	for field, form := range map[string]url.Values{
		"current":      {"current": {"not this one here"}, "password": {webtest.Password + " again"}, "confirmation": {webtest.Password + " again"}},
		"password":     {"current": {webtest.Password}, "password": {webtest.Password}, "confirmation": {webtest.Password}},
		"confirmation": {"current": {webtest.Password}, "password": {webtest.Password + " again"}},
	} {
		if a := c.Post("/admin/change-password", form); a.Status != 422 || a.Find("#field-"+field+"-error").Length() != 1 || a.Find("input[type=password][value]").Length() != 0 {
			t.Errorf("a wrong %s gives %d", field, a.Status)
		}
	}
	before := c.Cookie("heliograph-admin")
	a := c.Post("/admin/change-password", url.Values{"current": {webtest.Password}, "password": {webtest.Password + " again"}, "confirmation": {webtest.Password + " again"}})
	if a.Status != 303 || c.Cookie("heliograph-admin") == before {
		t.Fatalf("changing it gives %d, the cookie changed: %t", a.Status, c.Cookie("heliograph-admin") != before)
	}
	if a := c.Get(a.Header.Get("Location")); a.Status != 200 || a.Find(".done").Length() != 1 {
		t.Errorf("this session gets %d", a.Status)
	}
	if a := elsewhere.Get("/admin"); a.Status != 303 {
		t.Errorf("the other session gets %d", a.Status)
	}
	for range 6 {
		c.Post("/admin/change-password", url.Values{"current": {"not this one here"}, "password": {"x"}})
	}
	if a := c.Post("/admin/change-password", url.Values{"current": {"not this one here"}, "password": {"x"}}); a.Status != 429 {
		t.Errorf("guessing the present password gives %d", a.Status)
	}
}
