package webtest

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/runtest"
	"heliograph/app/web"
	"heliograph/db/dbtest"
	"heliograph/views/ui"
)

// postBoth sends a form as htmx does, undoes what that changed, and sends it as a
// browser does: every form that a test sends is sent in both ways, and both must
// have the same outcome and change the same rows. The answer is the one of the
// browser. Requests that are htmx's already have no twin, and neither have those to
// a database that cannot undo them.
func (c *Client) postBoth(path string, send func(*Client) *Answer) *Answer {
	c.t.Helper()
	tx, ok := c.site.DB.(pgx.Tx)
	if !ok || c.header.Get("HX-Request") != "" || c.once {
		return send(c)
	}
	c.exec(tx, "savepoint twin")
	twin := c.HX(c.shown.target(path)).On(c.shown.path)
	twin.cookies = maps.Clone(c.cookies)
	before := dbtest.Changed(c.t, tx)
	part := send(twin)
	c.exec(tx, "rollback to savepoint twin")
	between := dbtest.Changed(c.t, tx)
	whole := send(c)
	after := dbtest.Changed(c.t, tx)
	for _, finding := range ComparePosts(whole, part) {
		c.t.Errorf("POST %s: %s", path, finding)
	}
	if diff := cmp.Diff(difference(between, after), difference(before, between)); diff != "" {
		c.t.Errorf("POST %s: htmx changes other rows (-browser +htmx, inserted, updated, deleted):\n%s", path, diff)
	}
	if whole.Status < http.StatusBadRequest {
		c.site.sent(path)
	}
	return whole
}

// Once returns the same browser, but it sends each form once: for requests that have an
// effect outside the database too.
func (c *Client) Once() *Client {
	changed := *c
	changed.once = true
	return &changed
}

func (c *Client) exec(tx pgx.Tx, sql string) {
	c.t.Helper()
	if _, err := tx.Exec(c.t.Context(), sql); err != nil {
		c.t.Fatal(err)
	}
}

// difference returns the rows that were changed between two counts.
func difference(before, after map[string]dbtest.Rows) map[string]dbtest.Rows {
	changed := map[string]dbtest.Rows{}
	for table, n := range after {
		if had := before[table]; n != had {
			changed[table] = dbtest.Rows{n[0] - had[0], n[1] - had[1], n[2] - had[2]}
		}
	}
	return changed
}

// forms are the routes of forms that a package has seen, and whether one of its
// tests sent the form in both ways and saw it taken.
var forms = struct {
	sync.Mutex
	taken map[string]bool
}{taken: map[string]bool{}}

// list notes the forms of a server.
func (s *Site) list() {
	forms.Lock()
	defer forms.Unlock()
	for _, route := range s.Server.Routes() {
		if _, known := forms.taken[route.Name]; !known && route.Method == http.MethodPost && route.Access != web.APIKey {
			forms.taken[route.Name] = false
		}
	}
}

// sent notes that the form for a path was taken.
func (s *Site) sent(path string) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	forms.Lock()
	defer forms.Unlock()
	for _, route := range s.Server.Routes() {
		if route.Method == http.MethodPost && matches(strings.Split(route.Path, "/"), parts) {
			forms.taken[route.Name] = true
		}
	}
}

// responsible names, by the beginning of the names of routes, the package below
// app/web with the tests that send their forms. The first that fits counts.
var responsible = [][2]string{
	{"account.range.", "webhookrange"},
	{"account.suppressions.", "suppression"}, {"admin.suppressions.", "suppression"}, {"admin.log", "login"}, {"admin.media.", "media"}, {"admin.themes.", "theme"}, {"admin.tutor.", "tutor"},
	{"admin.console.", "console"}, {"admin.imports.", "importing"}, {"admin.sdks.", "sdk"}, {"admin.sms_header", "headers"}, {"admin.bot.", "bots"},
	{"admin.forgot", "password"}, {"admin.reset", "password"}, {"admin.notifications.", "notifications"}, {"admin.organisations.add", "organisations"}, {"admin.organisations.assets.", "organisations"}, {"admin.", "admin"},
	{"account.", "account"}, {"register", "account"}, {"forgot", "account"}, {"reset_link", "account"},
	{"login", "account"}, {"logout", "login"}, {"contact", "web"}, {"console", "console"}, {"simulator.", "simulate"}, {"copied", "portal"},
}

// FormOf returns the package with the tests that send the form of a route, if there is one.
func FormOf(name string) string {
	for _, r := range responsible {
		if strings.HasPrefix(name, r[0]) {
			return r[1]
		}
	}
	return ""
}

// RunForms runs the tests of one package or several. It fails if none of them sent one
// of the forms that the packages are responsible for in both ways and saw it taken. Runs
// of chosen tests are not held to it.
func RunForms(m *testing.M, names ...string) int {
	runtest.InMemory()
	runtest.Overlap(4)
	code := m.Run()
	for _, option := range []string{"test.run", "test.skip", "test.list"} {
		if code != 0 || flag.Lookup(option).Value.String() != "" {
			return code
		}
	}
	for _, route := range slices.Sorted(maps.Keys(forms.taken)) {
		if slices.Contains(names, FormOf(route)) && !forms.taken[route] {
			fmt.Fprintf(os.Stderr, "no test sends the form of %s with and without htmx so that it is taken\n", route)
			code = 1
		}
	}
	return code
}

// matches reports whether a path is one of a pattern, both in parts.
func matches(pattern, parts []string) bool {
	if len(pattern) != len(parts) {
		return false
	}
	for i, part := range pattern {
		if part != parts[i] && !strings.HasPrefix(part, ":") {
			return false
		}
	}
	return true
}

// made matches the id of what a request made.
var made = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|\d+`)

// ComparePosts lists how an answer to htmx differs from the one to a browser.
func ComparePosts(whole, part *Answer) (findings []string) {
	add := func(is bool, finding string) {
		if is {
			findings = append(findings, finding)
		}
	}
	errors := func(a *Answer) string {
		return strings.Join(strings.Fields(a.Find(".alert.bad, .problem, .invalid").Text()), " ")
	}
	add(strings.Contains(part.Body, "<!doctype"), "htmx gets a whole page")
	add(whole.Status == http.StatusInternalServerError || part.Status == http.StatusInternalServerError, "a server error")
	switch {
	case whole.Status == http.StatusSeeOther:
		in := part.Status == http.StatusOK && part.Body != ""
		add(!in && part.Status != http.StatusNoContent, "htmx gets "+http.StatusText(part.Status)+" where a browser is sent on")
		add(!in && part.Address() == "", "htmx is sent nowhere, a browser to "+whole.Address())
		add(!in && made.ReplaceAllString(part.Address(), "1") != made.ReplaceAllString(whole.Address(), "1"), "htmx is sent to "+part.Address()+", a browser to "+whole.Address())
	default:
		add(part.Status != whole.Status, "htmx gets "+http.StatusText(part.Status)+", a browser "+http.StatusText(whole.Status))
		add(!strings.Contains(whole.Body, "<!doctype"), "a browser gets no whole page")
		add(part.Body == "", "htmx gets nothing")
		invalid := whole.Status == http.StatusUnprocessableEntity
		add(invalid && errors(part) == "", "nothing says what is wrong")
		ownPage := whole.Find(".error-status").Length() > 0 // for a form without a place for errors
		add(invalid && !ownPage && !strings.Contains(errors(whole), errors(part)), "other errors: "+errors(part)+"\nwant "+errors(whole))
	}
	return findings
}

// shown is the page that a browser shows.
type shown struct {
	path     string
	document *goquery.Document
}

// see remembers the answer to a request, if a browser shows it as a page.
func (s *shown) see(r *http.Request, a *Answer) {
	if a.Find("main#main").Length() == 1 && r.Header.Get("HX-Request") == "" {
		s.document = a.Document
		if r.Method == http.MethodGet {
			s.path = r.URL.RequestURI()
		}
	}
}

// target returns the region that a form for a path replaces.
func (s *shown) target(path string) ui.Region {
	if s.document == nil {
		return ui.Main
	}
	senders := s.document.Find("form[method=post], [hx-post], [formaction]").FilterFunction(func(_ int, e *goquery.Selection) bool {
		return e.AttrOr("action", "") == path || e.AttrOr("hx-post", "") == path || e.AttrOr("formaction", "") == path
	})
	return ui.Region(strings.TrimPrefix(senders.First().Closest("[hx-target]").AttrOr("hx-target", "#main"), "#"))
}
