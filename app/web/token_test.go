package web_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"heliograph/app/keyring"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
	"heliograph/db/dbtest"
)

// Every form is refused without the token of the session that sends it, and nothing is
// changed. The visitor is one who may send it.
func TestEveryFormNeedsItsToken(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	var keys *keyring.Keyring
	site := webtest.New(t, func(d *web.Deps) { d.Pool, keys = pool, d.Keyring })
	crew := newCrew(t, site, keys)
	stranger := site.Client(t)
	stranger.Get(page.Account.Login)
	elsewhere := site.Client(t)
	elsewhere.Get(page.Administration.Login)
	random := base64.RawURLEncoding.EncodeToString(make([]byte, 48))
	recorded := func() (n int) {
		if err := site.DB.QueryRow(t.Context(), `select count(*) from audit_entries`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before, forms := recorded(), 0
	for _, route := range site.Server.Routes() {
		who, other := "nobody", stranger.Token
		switch {
		case route.Method != http.MethodPost || !slices.Contains([]web.Access{web.Visitor, web.AdminVisitor, web.Member, web.Developer, web.Owner, web.Viewer, web.Editor, web.SuperAdmin}, route.Access):
			continue
		case route.Access == web.AdminVisitor:
			other = elsewhere.Token
		case slices.Contains(opens[route.Access], "super-admin") && route.Access != web.Visitor:
			who, other = "super-admin", crew.admin["admin-editor"].Token
		case route.Access != web.Visitor:
			who, other = "owner", crew.account["other"].Token
		}
		forms++
		for name, try := range map[string]func(c *webtest.Client, path string) *webtest.Answer{
			"no token": func(c *webtest.Client, path string) *webtest.Answer {
				return c.Post(path, url.Values{page.TokenField: {""}})
			},
			"a random token": func(c *webtest.Client, path string) *webtest.Answer {
				return c.Post(path, url.Values{page.TokenField: {random}})
			},
			"a token of another": func(c *webtest.Client, path string) *webtest.Answer {
				return c.Post(path, url.Values{page.TokenField: {other}})
			},
			"another site's form": func(c *webtest.Client, path string) *webtest.Answer {
				return c.With("Sec-Fetch-Site", "cross-site").Post(path, nil)
			},
		} {
			if a := try(crew.browser(t, route, who), crew.fill(route.Path)); a.Status != http.StatusForbidden {
				t.Errorf("%s of %s with %s gets %d", route.Path, who, name, a.Status)
			}
		}
	}
	if forms < 100 {
		t.Errorf("only %d forms were tried", forms)
	}
	if after := recorded(); after != before {
		t.Errorf("%d changes were recorded", after-before)
	}
}
