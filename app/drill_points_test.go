//go:build drill && linux

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// unpressed are the routes of the administration and the account that this drill does
// not press, by the reason.
var unpressed = map[string][]string{
	"a part of another page, pressed there": {
		"/admin/drafts_and_reviews/:id/quality",
		"/admin/drafts_and_reviews/:id/presence",
		"/admin/products/:id/items/:item/quality",
		"/admin/products/:id/items/:item/presence",
		"/admin/themes/:surface/preview",
		"/admin/drafts_and_reviews/:id/items/:item/threads/new",
	},
	"a file, not a page": {
		"/admin/inbox/:id/html",
		"/admin/media/items/:id/content",
		"/account/bots/:id/images/:name",
		"/admin/bots/:id/images/:name",
	},
	"a public page within the tutor or a preview, which readers' tests press": {
		"/admin/editor-tutor/live/*",
		"/admin/drafts_and_reviews/:id/items/:item/preview",
	},
	"nothing of the kind is in a new installation": {
		"/admin/contacts/:id",
		"/admin/notifications/:id",
		"/admin/carriers/routes/:id/removal",
		"/admin/carriers/:id",
		"/admin/carriers/:id/disabling",
		"/admin/carriers/:id/renewal",
		"/admin/carriers/:id/removal",
		"/admin/messages/:id",
		"/admin/sms-headers/:id",
		"/admin/parked-messages/:id",
		"/admin/message-templates/:id",
		"/account/bots/:id/webhook/replay",
		"/account/messages/:id",
		"/account/deliveries/:id",
		"/account/webhooks/:number/remove",
		"/account/webhooks/:number/replay",
		"/account/webhooks/:number/secret/retire",
		"/account/do-not-contact/:id/removal",
		"/admin/do-not-contact/:id/removal",
		"/admin/media/folders/:id/deletion",
		"/admin/media/items/:id",
		"/admin/media/items/:id/trash",
		"/admin/media/items/:id/restoration",
		"/admin/imports/:id",
		"/admin/imports/:id/discarding",
		"/account/webhook-range/requests/:id",
		"/account/assets/:id/shares/:business/end",
		"/admin/products/:id/items/:item/previews/:link/revocation",
		"/admin/themes/:surface/revisions/:number",
	},
	"leads to another page": {
		"/admin/versions/:id",
	},
	"only for an approved or outdated change set, or an item that was never published": {
		"/admin/drafts_and_reviews/:id/publish",
		"/admin/drafts_and_reviews/:id/discard",
		"/admin/drafts_and_reviews/:id/rebase",
		"/admin/drafts_and_reviews/:id/items/:item/removal",
		"/admin/products/:id/releases/:release/revert",
		"/admin/products/:id/items/:item/trash",
		"/admin/products/:id/items/:item/untrash",
	},
}

// perRoute is how many pages of one route are pressed: forms differ by what they edit.
const perRoute = 4

// TestDrillPoints walks every page of the administration and the account that the
// table of routes names, as an administrator and as an owner, and presses each control
// at nine points of its area and types into each field. Pages without a parameter are
// asked for; the others are found by links. A route that no page leads to is listed
// with its reason, or it fails.
//
//	go test -tags drill -run DrillPoints -timeout 30m -v ./app
func TestDrillPoints(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	create := exec.CommandContext(t.Context(), f.binary(), "admin", "create", "--name", "Sue", "--email", "sue@example.com", "--password-stdin")
	create.Env, create.Stdin = f.environ, strings.NewReader(typistPassword+"\n")
	if out, err := create.CombinedOutput(); err != nil {
		t.Fatalf("adding an administrator: %v\n%s", err, out)
	}
	web := f.start("web")
	d := &typist{T: t, fleet: f, ctx: browsertest.Open(t)}
	d.do(chromedp.Navigate(web.url + "/admin/login"))
	d.enter("#field-email", people.Admin.Email)
	d.enter("#field-password", people.Admin.Password+"\r")
	d.await("the overview", `document.querySelector("h1").textContent === "Overview"`)
	d.do(chromedp.Navigate(web.url + "/login"))
	d.enter("#field-email", people.Organisation.Email)
	d.enter("#field-password", people.Organisation.Password+"\r")
	d.await("the account", `location.pathname === "/account"`)

	routes := pageRoutes(t)
	pressed := map[string]int{}
	var queue []string
	for _, r := range routes {
		if !strings.ContainsAny(r.path, ":*") {
			queue = append(queue, r.path)
		}
	}
	known := map[string]bool{}
	controls := 0
	for len(queue) > 0 {
		address := queue[0]
		queue = queue[1:]
		path, _, _ := strings.Cut(address, "?")
		i := slices.IndexFunc(routes, func(r pageRoute) bool { return r.pattern.MatchString(path) })
		if known[address] || i < 0 || pressed[routes[i].path] >= perRoute || strings.Contains(path, "logout") {
			continue
		}
		known[address] = true
		// What is no page has no form.
		kind := browsertest.Evaluate[string](t, d.ctx, `fetch(`+quoted(address)+`, {headers: {Range: "bytes=0-0"}}).then((r) => { const kind = r.status + " " + r.headers.get("Content-Type"); r.body?.cancel(); return kind; })`)
		pressed[routes[i].path]++
		if !strings.HasPrefix(kind, "200 text/html") {
			t.Logf("%s is no page: %s", address, kind)
			continue
		}
		d.do(chromedp.Navigate(web.url + address))
		d.await("the page "+address, `document.readyState === "complete" && document.querySelector("main, .notice, body > *")`)
		links := browsertest.Evaluate[[]string](t, d.ctx, `[...document.querySelectorAll("a[href]")].filter((a) => a.origin === location.origin && /^\/(admin|account)/.test(a.pathname)).map((a) => a.pathname + a.search)`)
		queue = append(queue, links...)
		browsertest.Evaluate[bool](t, d.ctx, `(() => { for (const d of document.querySelectorAll("main details:not([name])")) d.open = true; return true; })()`)
		d.await("the editors of "+address, `![...document.querySelectorAll("textarea[data-code]:not([hidden])")].some((area) => area.checkVisibility())`)
		controls += browsertest.Evaluate[int](t, d.ctx, `document.querySelectorAll("main :is(code-editor, input:not([type=hidden]), textarea, select, button, summary):not([hidden], :disabled)").length`)
		if missed := browsertest.Points(t, d.ctx); missed != "" {
			t.Errorf("%s:\n%s", address, missed)
		}
	}
	var excused []string
	for _, list := range unpressed {
		excused = append(excused, list...)
	}
	for _, r := range routes {
		listed := slices.Contains(excused, r.path)
		switch {
		case pressed[r.path] == 0 && !listed:
			t.Errorf("no page leads to %s", r.path)
		case pressed[r.path] > 0 && listed:
			t.Errorf("%s was pressed, and is listed as a page that was not", r.path)
		}
	}
	t.Logf("%d controls of %d addresses by %d of %d routes", controls, len(known), len(pressed), len(routes))
}

// pageRoute is a route of the administration or the account that is read.
type pageRoute struct {
	path    string
	pattern *regexp.Regexp
}

// pageRoutes reads the table of routes. Patterns without a parameter come first.
func pageRoutes(t *testing.T) (routes []pageRoute) {
	t.Helper()
	table, err := os.ReadFile("web/testdata/access.txt")
	if err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`:[a-z_]+|\\\*`)
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(line, "\t")
		if cells[1] != "GET" || !strings.HasPrefix(cells[2], "/admin") && !strings.HasPrefix(cells[2], "/account") {
			continue
		}
		pattern := regexp.MustCompile("^" + parameter.ReplaceAllString(regexp.QuoteMeta(cells[2]), "[^/]+") + "$")
		routes = append(routes, pageRoute{cells[2], pattern})
	}
	slices.SortStableFunc(routes, func(a, b pageRoute) int { return strings.Count(a.path, ":") - strings.Count(b.path, ":") })
	if len(routes) < 100 {
		t.Fatalf("the table has only %d pages", len(routes))
	}
	return routes
}

func quoted(s string) string {
	b, _ := json.Marshal(s) //nolint:errcheck // a string
	return string(b)
}
