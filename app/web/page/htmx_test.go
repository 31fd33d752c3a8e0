package page_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// One address has a page and its regions, chosen by what htmx asks for.
func TestPageAndRegions(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Owner)
	for name, tt := range map[string]struct {
		with         *webtest.Client
		page, region bool
	}{
		"browser":          {c, true, true},
		"main part":        {c.HX(), false, true},
		"unknown region":   {c.HX("nothing"), false, true},
		"region":           {c.HX(ui.Form.Of("key")), false, false},
		"boosted":          {c.HX().With("HX-Boosted", "true").With("HX-Target", ""), true, true},
		"boosted into one": {c.HX().With("HX-Boosted", "true"), false, true},
		"restored":         {c.HX().With("HX-History-Restore-Request", "true"), true, true},
	} {
		a := tt.with.Get("/account/keys")
		if whole := strings.Contains(a.Body, "<html"); a.Status != 200 || whole != tt.page || (a.Find("h1").Length() == 1) != tt.region || a.Find("#form-key").Length() != 1 {
			t.Errorf("%s gets %d %s", name, a.Status, a.Body)
		}
		if !strings.Contains(strings.Join(a.Header.Values("Vary"), ", "), "HX-Request, HX-Target") {
			t.Errorf("%s: the answer varies by %q", name, a.Header.Values("Vary"))
		}
	}
	a := c.HX().Get("/account/keys")
	for _, beside := range []string{"title", "#canonical", "#sections [aria-current]", "#flash", "#toasts"} {
		if a.Find(beside).Length() != 1 {
			t.Errorf("the main part comes without %s", beside)
		}
	}
	if a := c.HX("nothing").Get("/account/keys"); a.Header.Get("HX-Retarget") != "#main" {
		t.Errorf("an unknown region goes to %q", a.Header.Get("HX-Retarget"))
	}
}

// What goes wrong stays in its place, what works leads on, and the address
// changes only with a page.
func TestFormsInPlace(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	plain, _ := site.SignIn(t, 0, identity.Owner)
	form := ui.Form.Of("key")
	for _, c := range []*webtest.Client{plain, plain.HX(form).On("/account/keys")} {
		a := c.Post("/account/keys", url.Values{"name": {""}})
		if a.Status != 422 || a.Find("#form-key [data-focus]").Length() != 1 {
			t.Errorf("an empty name gives %d %s", a.Status, a.Body)
		}
		if c != plain && (a.Find("h1").Length() != 0 || a.Header.Get("HX-Retarget") != "#form-key" || a.Header.Get("HX-Push-Url") != "false") {
			t.Errorf("the form goes to %v", a.Header)
		}
	}
	made := plain.HX(form).On("/account/keys").Follow(plain.HX(form).On("/account/keys").Post("/account/keys", url.Values{"name": {"Shop"}, "channels": {"sms"}}))
	if made.Status != 200 || made.Header.Get("HX-Retarget") != "#main" || made.Find(".secret pre").Length() != 1 {
		t.Errorf("a key gives %d %v %s", made.Status, made.Header, made.Body)
	}
	revoke := made.Find("td a.button").AttrOr("href", "")
	row := plain.HX(ui.Confirm.Of("1")).On("/account/keys").Get(revoke)
	if row.Status != 200 || row.Find("form").AttrOr("action", "") != revoke || row.Find("h1").Length() != 0 || row.Find("button[data-dismiss]").Length() != 1 {
		t.Errorf("the question is %d %s", row.Status, row.Body)
	}
	done := plain.HX().On("/account/keys").Post(revoke, nil)
	if done.Status != 204 || !strings.Contains(done.Header.Get("HX-Location"), `"target":"#main"`) || done.Address() != "/account/keys?done=key-revoked" {
		t.Errorf("revoking gives %d %v", done.Status, done.Header)
	}
	if a := plain.HX().On("/account/keys").Follow(done); a.Find("#toasts .done").Length() != 1 || a.Header.Get("HX-Replace-Url") != "/account/keys" {
		t.Errorf("after it comes %v", a.Header)
	}
	if a := plain.HX(form).On("/account/keys").Get("/account/nothing"); a.Status != 404 || a.Header.Get("HX-Retarget") != "#flash" || a.Find("#flash [role=alert]").Length() != 1 {
		t.Errorf("a page that is not there gives %d %v", a.Status, a.Header)
	}
}

// Pages of another area are loaded whole, and so is any page after the session
// has changed. Nobody is sent to another site.
func TestAreasAreLeftWhole(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Owner)
	for _, to := range []string{"/admin", "/docs", "/"} {
		if a := c.HX().On("/account/keys").Get(to); a.Status != 204 || a.Header.Get("HX-Redirect") != to {
			t.Errorf("%s from the account gives %d %v", to, a.Status, a.Header)
		}
	}
	if a := c.HX().On("/account").Post("/logout", nil); a.Status != 204 || a.Header.Get("HX-Redirect") != "/login" {
		t.Errorf("signing out gives %d %v", a.Status, a.Header)
	}
	const shown, next = "/account/messages?state=failed", "/login?next=%2Faccount%2Fmessages%3Fstate%3Dfailed"
	for _, a := range []*webtest.Answer{c.HX(ui.List).On(shown).Get("/account/keys"), c.HX(ui.List).On(shown).Post("/account/keys", nil)} {
		if a.Status != 204 || a.Header.Get("HX-Redirect") != next {
			t.Errorf("without a session: %d %v", a.Status, a.Header)
		}
	}
	foreign := c.HX(ui.List).With("HX-Current-URL", "https://attacker.example/account/messages").Get("/account/keys")
	if to := foreign.Header.Get("HX-Redirect"); strings.Contains(to, "attacker") {
		t.Errorf("a foreign page is returned to: %s", to)
	}
}
