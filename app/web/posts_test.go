package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"heliograph/app/keyring"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
	"heliograph/db/dbtest"
)

// Every form is sent empty, by the browser and by htmx: both get the same outcome
// and the same errors, one as a page and the other as a part of one. What a
// request changes is undone before the next.
func TestPostsAnswerBothWays(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	var keys *keyring.Keyring
	site := webtest.New(t, func(d *web.Deps) { d.Pool, keys = pool, d.Keyring })
	crew := newCrew(t, site, keys)
	compared := map[int]int{}
	for _, route := range site.Server.Routes() {
		// A note is changed as by somebody else: the page must not notice.
		if route.Method != http.MethodPost || route.Access == web.APIKey || route.Name == "ui.note.elsewhere" {
			continue
		}
		whole, part := crew.postTwice(t, route)
		if whole.Header.Get("Location") == "" && !strings.HasPrefix(whole.Header.Get("Content-Type"), "text/html") {
			continue // no page: a file, or an answer to a program
		}
		compared[whole.Status]++
		for _, finding := range webtest.ComparePosts(whole, part) {
			t.Errorf("POST %s: %s", route.Path, finding)
		}
	}
	t.Logf("compared by status: %v", compared)
	if compared[http.StatusUnprocessableEntity] < 20 || compared[http.StatusSeeOther] < 5 {
		t.Errorf("too few answers are compared: %v by status", compared)
	}
}

// postTwice sends an empty form to a route as its most powerful visitor.
func (c *crew) postTwice(t *testing.T, route web.Route) (whole, part *webtest.Answer) {
	t.Helper()
	who, home := "owner", page.Account.Home
	if strings.HasPrefix(route.Path, page.Administration.Home) {
		who, home = "super-admin", page.Administration.Home
	}
	switch {
	case slices.Contains([]web.Access{web.Visitor, web.AdminVisitor}, route.Access):
		who, home = "nobody", strings.TrimSuffix(route.Path, "/")
	case route.Access == web.Public:
		home = route.Path
	}
	post := func(as func(*webtest.Client) *webtest.Client) *webtest.Answer {
		defer c.restore(t)()
		return as(c.browser(t, route, who)).Post(c.fill(route.Path), url.Values{})
	}
	whole = post(func(b *webtest.Client) *webtest.Client { return b })
	part = post(func(b *webtest.Client) *webtest.Client { return b.HX().On(home) })
	return whole, part
}

// restore returns a function that undoes what was changed since.
func (c *crew) restore(t *testing.T) func() {
	t.Helper()
	exec := func(sql string) {
		if _, err := c.site.DB.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec("savepoint tried")
	return func() { exec("rollback to savepoint tried") }
}
