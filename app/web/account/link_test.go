package account_test

import (
	"net/http"
	"testing"

	"heliograph/app/identity"
	"heliograph/app/web/webtest"
)

// The header of public pages, which are the same for everybody, takes its link to
// the account from an answer that no cache keeps.
func TestLinkOfTheHeader(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	stranger := site.Client(t)
	public := stranger.Get("/").Find("#account-link")
	if public.Text() != "Sign in" || public.AttrOr("href", "") != "/login" || public.AttrOr("hx-get", "") != "/account/link" {
		t.Errorf("a public page has %q", public.Text())
	}
	member, _ := site.SignIn(t, 0, identity.Owner)
	if text := member.Get("/").Find("#account-link").Text(); text != "Sign in" {
		t.Errorf("a public page is for one user: %q", text)
	}
	if a := stranger.HX("account-link").Get("/account/link"); a.Status != http.StatusNoContent {
		t.Errorf("without a session: %d", a.Status)
	}
	for name, c := range map[string]*webtest.Client{"page": member, "fragment": member.HX("account-link")} {
		a := c.Get("/account/link")
		if link := a.Find("a#account-link"); link.Text() != "Ravi" || link.AttrOr("href", "") != "/account" || link.AttrOr("hx-get", "none") != "none" {
			t.Errorf("%s: %d %q", name, a.Status, link.Text())
		}
		if got := a.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
	}
}
