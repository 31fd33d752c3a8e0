package web_test

import (
	"net/http"
	"net/url"
	"regexp"
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
		for _, finding := range comparePosts(whole, part) {
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

// number matches the id of what a request made.
var number = regexp.MustCompile(`\d+`)

// comparePosts lists how an answer to htmx differs from the one to a browser.
func comparePosts(whole, part *webtest.Answer) (findings []string) {
	add := func(is bool, finding string) {
		if is {
			findings = append(findings, finding)
		}
	}
	errors := func(a *webtest.Answer) string {
		return strings.Join(strings.Fields(a.Find(".alert.bad, .problem, .invalid").Text()), " ")
	}
	add(strings.Contains(part.Body, "<!doctype"), "htmx gets a whole page")
	add(whole.Status >= 500 || part.Status >= 500, "a server error")
	switch {
	case whole.Status == http.StatusSeeOther:
		in := part.Status == http.StatusOK && part.Body != ""
		add(!in && part.Status != http.StatusNoContent, "htmx gets "+http.StatusText(part.Status)+" where a browser is sent on")
		add(!in && part.Address() == "", "htmx is sent nowhere, a browser to "+whole.Address())
		add(!in && number.ReplaceAllString(part.Address(), "1") != number.ReplaceAllString(whole.Address(), "1"), "htmx is sent to "+part.Address()+", a browser to "+whole.Address())
	default:
		add(part.Status != whole.Status, "htmx gets "+http.StatusText(part.Status)+", a browser "+http.StatusText(whole.Status))
		add(!strings.Contains(whole.Body, "<!doctype"), "a browser gets no whole page")
		add(part.Body == "", "htmx gets nothing")
		invalid := whole.Status == http.StatusUnprocessableEntity
		add(invalid && errors(part) == "", "nothing says what is wrong")
		ownPage := whole.Find(".error-status").Length() > 0 // for a form without a place for errors
		add(invalid && !ownPage && errors(part) != errors(whole), "other errors: "+errors(part)+"\nwant "+errors(whole))
	}
	return findings
}
