package account_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
)

// The header of public pages, which are the same for everybody, takes its link to
// the account from an answer that no cache keeps.
func TestLinkOfTheHeader(t *testing.T) {
	t.Parallel()
	var keys *keyring.Keyring
	site := webtest.New(t, func(d *web.Deps) { keys = d.Keyring })
	stranger := site.Client(t)
	public := stranger.Get("/").Find("#account-link")
	if public.Text() != "Sign in" || public.AttrOr("href", "") != "/login" || public.AttrOr("hx-get", "") != "/account/link" {
		t.Errorf("a public page has %q", public.Text())
	}
	for _, path := range []string{"/simulators", "/simulators/sms"} {
		if a := stranger.Get(path); a.Status != http.StatusOK || a.Find("#account-link").AttrOr("hx-get", "") != "/account/link" {
			t.Errorf("%s gives %d and no link to the account", path, a.Status)
		}
	}
	member, organisation := site.SignIn(t, 0, identity.Owner)
	err := db.InTx(t.Context(), site.DB, func(tx pgx.Tx) error {
		_, err := messaging.Provision(t.Context(), tx, keys, organisation, "Lighthouse")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
		var ids map[string]string
		if err := json.Unmarshal([]byte(a.Find("a#account-link").AttrOr("data-ids", "")), &ids); err != nil || ids["PHONE_NUMBER_ID"] == "" || ids["ORG_ID"] == "" {
			t.Errorf("%s: ids %v, %v", name, ids, err)
		}
		if strings.Contains(a.Find("a#account-link").AttrOr("data-ids", ""), "hg_test_") {
			t.Errorf("%s: the ids hold a key", name)
		}
		if got := a.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
	}
}
