//go:build browser

package admin_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/app/operation/audit"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// desk is a browser in which a Super Admin has signed in, by keyboard.
type desk struct {
	t      *testing.T
	ctx    context.Context
	site   *webtest.Site
	origin string
	said   func() []string
}

func openDesk(t *testing.T) *desk {
	t.Helper()
	return openDeskWith(t, func(*web.Deps) {})
}

// openDeskWith is openDesk for a site with other dependencies.
func openDeskWith(t *testing.T, change func(*web.Deps)) *desk {
	t.Helper()
	pool := dbtest.Pool(t)
	d := &desk{t: t}
	listener, signals := db.NewListener(pool), db.NewSignals(pool)
	d.site = webtest.Over(t, pool, func(deps *web.Deps) {
		deps.Listener, deps.Signals = listener, signals
		change(deps)
	})
	go listener.Run(t.Context())
	go signals.Run(t.Context())
	go d.site.Server.Run(t.Context())
	identitytest.AddAdmin(t, pool, "Asha", "asha@example.com", identity.SuperAdmin)
	server := httptest.NewServer(d.site.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	d.origin, d.ctx = server.URL, browsertest.Open(t)
	d.do(chromedp.Navigate(d.origin + page.Administration.Login))
	d.enter("#field-email", "asha@example.com")
	d.enter("#field-password", webtest.Password+"\r")
	d.await("the overview", `document.querySelector("h1").textContent === "Overview"`)
	d.said = browsertest.Complaints(t, d.ctx, d.origin)
	return d
}

func (d *desk) do(actions ...chromedp.Action[chromedp.Void]) {
	d.t.Helper()
	if err := chromedp.Do(d.ctx, actions...); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) enter(selector, text string) {
	d.t.Helper()
	browsertest.Tab(d.t, d.ctx, selector)
	d.do(chromedp.KeyEvent(text))
}

// press presses the element by keyboard, once it is there and htmx knows what it has
// just put into the page. Before that, a link opens its own page.
func (d *desk) press(selector string) {
	d.t.Helper()
	d.await(selector, fmt.Sprintf(`document.querySelector(%q) && !document.querySelector(".htmx-added, .htmx-settling, .htmx-swapping")`, selector))
	d.enter(selector, "\r")
}

func (d *desk) await(what, condition string) {
	d.t.Helper()
	script := `(() => { try { return Boolean(` + condition + `); } catch { return false; } })()`
	pause := browsertest.Pauses()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); pause() {
		// An error is a page that is just being replaced.
		if is, err := chromedp.Run(d.ctx, chromedp.Evaluate[bool](script)); err == nil && is {
			return
		}
	}
	d.t.Fatalf("%s does not come, the page is: %s", what, browsertest.Evaluate[string](d.t, d.ctx, `document.querySelector("main").innerText`))
}

func (d *desk) judge(at string) {
	d.t.Helper()
	browsertest.JudgeThemes(d.t, d.ctx, at)
	for _, s := range d.said() {
		d.t.Errorf("%s: the browser says: %s", at, s)
	}
}

// TestPagesFitTheScreen opens every place of the navigation on screens of middle
// width, with long words in the audit.
func TestPagesFitTheScreen(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	exec(t, d.site, jobRows, queueRows, userRow)
	record(t, d.site, audit.Entry{Actor: "admin:1", Action: "organisation.deactivate", Target: "organisation:4000000", Details: map[string]any{
		"after": map[string]any{"webhook_url": "https://receiver.example.com/channels/messages/callbacks"},
	}})
	places := browsertest.Evaluate[[]string](t, d.ctx, `[...new Set([...document.querySelectorAll("#sections a")].map((a) => a.href))]`)
	if len(places) < 15 {
		t.Fatalf("the navigation has only %d places", len(places))
	}
	for _, width := range []int64{1024, 700} {
		d.do(chromedp.EmulateViewport(width, 900))
		for _, place := range places {
			d.do(chromedp.Navigate(place))
			if by := browsertest.Evaluate[int](t, d.ctx, `document.documentElement.scrollWidth - innerWidth`); by > 0 {
				t.Errorf("%s is %d pixels wider than a screen of %d", place, by, width)
			}
			if covered := browsertest.Evaluate[bool](t, d.ctx, `[...document.querySelectorAll(".table")].some((table) => table.tHead.getBoundingClientRect().bottom > table.tBodies[0].getBoundingClientRect().top + 1 || [...table.tHead.querySelectorAll("th")].some((th) => th.getBoundingClientRect().bottom > table.tBodies[0].getBoundingClientRect().top + 1))`); covered {
				t.Errorf("a head of %s covers rows on a screen of %d", place, width)
			}
		}
	}
}

// TestJobsByKeyboard filters jobs, opens one in place, retries it, and cancels
// another after a confirmation, while the rows refresh by themselves.
func TestJobsByKeyboard(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	exec(t, d.site, jobRows, queueRows)
	d.do(chromedp.Navigate(d.origin + "/admin/jobs"))
	browsertest.Evaluate[bool](t, d.ctx, `window.sameDocument = true`)
	d.enter("select[name=state]", "Disc")
	d.await("the filtered list", `document.querySelectorAll("#list td[data-label=Job]").length === 1 && location.search === "?state=discarded"`)
	if !browsertest.Focused(t, d.ctx, "select[name=state]") {
		t.Error("the filter has lost the focus")
	}
	d.press("#open-details-2")
	d.await("the details", `document.querySelector("#details-2 dl") && document.querySelector("#open-details-2").ariaExpanded === "true"`)
	d.judge("job in place 1440")
	d.press("#details-2 .choices button")
	d.await("the retried job", `document.querySelector(".toast .done").textContent === "The job runs again." && (document.querySelector("#details-2 dd")?.textContent ?? "Waiting") === "Waiting"`) // it leaves the filtered list with the next refresh

	d.do(chromedp.Navigate(d.origin + "/admin/jobs"))
	d.press("#open-details-1")
	d.press("#open-confirm-1")
	d.await("the confirmation", `document.activeElement.matches("#confirm-1 h2")`)
	d.judge("job confirmation 1440")
	d.press("#confirm-1 [data-dismiss]")
	d.await("the focus back on its button", `document.activeElement.id === "open-confirm-1"`)
	d.press("#open-confirm-1")
	d.await("the confirmation again", `document.activeElement.matches("#confirm-1 h2")`)

	// What is open stays while the rows around it refresh.
	d.await("the stream", `document.querySelector("#refresh-live-jobs")`)
	d.await("the live row", `(() => { const badge = document.querySelector("#list td[data-label=State]"); return badge.textContent.trim() !== ""; })()`)
	exec(t, d.site, `update river.river_job set attempt = 7 where id = 1`, `select pg_notify('`+db.Channel+`', 'live:jobs:0')`)
	d.await("the fresh row", `[...document.querySelectorAll("#list td[data-label=Attempts]")].some((cell) => cell.textContent.includes("7 of 25"))`)
	d.await("the confirmation still open", `document.querySelector("#confirm-1 h2")`)
	d.press("#confirm-1 button.danger")
	d.await("the cancelled job", `document.querySelector("#details-1 dd").textContent === "Cancelled" && !document.querySelector("#confirm-1 h2")`)
}

// TestUsersByKeyboard invites a user after a mistake and deactivates another
// after a confirmation.
func TestUsersByKeyboard(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	exec(t, d.site, userRow)
	d.do(chromedp.Navigate(d.origin + "/admin/users/invite"))
	d.enter("#field-name", "Mira")
	d.enter("#field-email", "ravi@example.com\r")
	d.await("the summary with the focus", `document.activeElement.matches("#form-invite [data-focus]") && document.querySelector("#field-name").value === "Mira"`)
	if said := d.said(); len(said) != 1 || !strings.Contains(said[0], "422") {
		t.Errorf("the browser says %v, want the status 422 alone", said)
	}
	d.judge("invitation refused 1440")
	browsertest.Evaluate[bool](t, d.ctx, `(document.querySelector("#field-email").value = "", true)`)
	d.enter("#field-email", "mira@example.com\r")
	d.await("the new account", `document.querySelector(".toast .done").textContent === "The invitation is on its way." && document.querySelector("h1").textContent === "Mira" && !location.search`)
	d.judge("user invited 1440")

	d.do(chromedp.Navigate(d.origin + "/admin/users/1000001"))
	d.press("#open-confirm-act")
	d.await("the confirmation", `document.activeElement.matches("#confirm-act h2")`)
	d.do(chromedp.EmulateViewport(390, 900))
	d.judge("user confirmation 390")
	d.press("#confirm-act button.danger")
	d.await("the inactive account", `document.querySelector(".toast .done").textContent.startsWith("The account is inactive.") && !document.querySelector("#open-confirm-act")`)
}
