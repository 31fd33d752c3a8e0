//go:build browser

package documentation_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	rule "heliograph/app/documentation/tutor"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web"
	"heliograph/app/web/documentation/tutor"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// typist has a keyboard and no mouse.
type typist struct {
	*testing.T
	ctx    context.Context
	origin string
}

// press moves the focus to an element by Tab, and presses Enter there.
func (y *typist) press(selector string) {
	y.Helper()
	y.await(selector)
	browsertest.Tab(y.T, y.ctx, selector)
	y.key("\r")
}

func (y *typist) key(keys string) {
	y.Helper()
	if err := chromedp.Do(y.ctx, chromedp.KeyEvent(keys)); err != nil {
		y.Fatal(err)
	}
}

// await waits until the page has an element.
func (y *typist) await(selector string) {
	y.Helper()
	y.until(selector, `document.querySelector("`+selector+`")`)
}

// until waits until a condition holds.
func (y *typist) until(what, condition string) {
	y.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if browsertest.Evaluate[bool](y.T, y.ctx, `Boolean(`+condition+`)`) {
			return
		}
	}
	y.Fatalf("%s never came: %s", what, browsertest.Situation(y.T, y.ctx))
}

// steps waits until the pages ask for a step.
func (y *typist) steps(title string) {
	y.Helper()
	y.until(title, `document.querySelector(".tutor-step strong")?.textContent === "`+title+`."`)
}

// types moves to a field by Tab and replaces what it holds.
func (y *typist) types(selector, text string) {
	y.Helper()
	y.await(selector)
	browsertest.Tab(y.T, y.ctx, selector)
	browsertest.Evaluate[bool](y.T, y.ctx, `(document.querySelector("`+selector+`").select(), true)`)
	y.key(text)
}

// Every step is taken with the keyboard alone.
func TestTutorByKeyboard(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	pool := dbtest.Pool(t)
	listener := db.NewListener(pool)
	site := webtest.New(t, func(d *web.Deps) {
		d.DB, d.Listener, d.Documentation, d.Search = pool, listener, published.New(pool, listener), search.New(pool, listener)
	})
	server := httptest.NewServer(site.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	identitytest.AddAdmin(t, pool, "asha", "asha@example.com", identity.Editor)
	y := &typist{t, ctx, server.URL}
	said := browsertest.Complaints(t, ctx, server.URL)
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+tutor.Path)); err != nil {
		t.Fatal(err)
	}
	browsertest.Tab(t, ctx, "#field-email")
	y.key("asha@example.com\t" + webtest.Password + "\r")

	y.press("form[action$='/start'] button")
	y.press("[aria-current=step] a.button")
	y.steps("Find your product")
	y.press("#list td a[href*='/admin/products/']")
	y.steps("Edit a guide")
	if name := browsertest.Evaluate[string](t, ctx, `document.querySelector("h1").textContent`); name != rule.Name {
		t.Fatalf("the product is %s", name)
	}
	y.press(".tutor-do a.button")
	y.await("code-editor#field-text")
	y.types("#field-text", "A reminder is sent 60 minutes before the appointment.")
	y.press("#item .actions button.primary")
	y.steps("Correct an example")
	y.press(".tutor-do a.button")
	y.types(".outline code-editor.mono", `{"id": "rem_1", "to": "919812345678", "appointment_at": "2027-03-01T10:00:00Z", "minutes_before": 60, "state": "sent"}`)
	y.press("#item .actions button.primary")
	y.steps("Preview your draft")
	y.press(".tutor-do a.button")
	y.press(".draft-item a[href$='/preview']")
	y.press(".draft-strip a")
	y.steps("Submit for review")
	y.press("#form-submit button.primary")
	y.steps("Answer a request for changes")
	y.press(".tutor-do a.button")
	y.until("the open comment", `document.querySelector(".thread")?.open`)
	browsertest.Tab(t, ctx, ".thread textarea")
	y.key("It says so now.")
	y.press(".thread button[value=reply]")
	y.until("the reply", `document.querySelectorAll(".thread .remarks > *").length > 1`)
	y.press("#form-submit button.primary")
	y.steps("Approve as the other")
	y.press("form[action$='/approve'] button")
	y.steps("Publish, and see it live")
	y.press(".rail a[href$='/publish']")
	y.press("form[action$='/publish'] button")
	y.until("the release", `document.querySelector(".tutor-do a[href*='/live/']")`)
	y.press(".tutor-do a[href*='/live/']")
	y.press(".draft-strip a")
	y.press("[aria-current=step] a.button")
	y.steps("Restore a revision")
	y.press("#restore a")
	y.press("form[action$='/restore'] button")
	y.steps("You are through")
	for _, complaint := range said() {
		t.Error(complaint)
	}
}
