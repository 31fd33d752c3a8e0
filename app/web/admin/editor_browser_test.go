//go:build browser

package admin_test

import (
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/app/documentation/published"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// writing is the browser of an administrator of a press.
func (p *press) writing(origin, name string) *desk {
	p.Helper()
	d := &desk{t: p.T, site: p.Site, origin: origin, ctx: browsertest.Open(p.T)}
	d.do(chromedp.Navigate(origin + page.Administration.Login))
	d.signIn(name)
	d.await("the overview of "+name, `document.querySelector("h1").textContent === "Overview"`)
	return d
}

// signIn fills the form that signs an administrator in.
func (d *desk) signIn(name string) {
	d.t.Helper()
	d.enter("#field-email", name+"@example.com")
	d.enter("#field-password", webtest.Password+"\r")
}

// typeOver replaces what a field holds, by keyboard.
func (d *desk) typeOver(selector, text string) {
	d.t.Helper()
	browsertest.Tab(d.t, d.ctx, selector)
	browsertest.Evaluate[bool](d.t, d.ctx, `(document.querySelector("`+selector+`").select(), true)`)
	d.do(chromedp.KeyEvent(text))
}

// An Editor changes a word of a guide and submits it, a reviewer approves it, the
// Editor publishes it and readers see it. A second editor who opened the guide
// before gets the conflict page, with both texts.
func TestJourneyOfAWord(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener := db.NewListener(pool)
	published := published.New(pool, listener)
	p := newPressOver(t, pool, func(deps *web.Deps) { deps.Listener, deps.Documentation = listener, published })
	if err := published.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	origin := server.URL
	ada, ben := p.writing(origin, "ada"), p.writing(origin, "ben")
	late := p.writing(origin, "sue")
	late.do(chromedp.Navigate(origin + p.guide))
	late.await("the form of the second editor", `document.querySelector("#field-text").value.includes("one")`)

	ada.do(chromedp.Navigate(origin + p.product))
	ada.await("the tree", `document.querySelector(".leaves")`)
	ada.audit("product")
	ada.press(`.leaves a[href="` + p.guide + `"]`)
	ada.await("the form", `document.querySelector("#item")`)
	ada.typeOver("#field-text", "Write **two** letters.")
	ada.await("the preview", `document.querySelector("#preview .prose strong").textContent === "two"`)
	if !browsertest.Focused(t, ada.ctx, "#field-text") {
		t.Error("the preview took the focus")
	}
	ada.audit("guide")
	// What was typed is there again after the page was left.
	ada.do(chromedp.Navigate(origin+"/admin"), chromedp.Navigate(origin+p.guide))
	ada.await("what was typed", `document.querySelector("#field-text").value.includes("two")`)
	ada.press("#item .actions button.primary")
	ada.await("the saved draft", `document.querySelector(".toast .done").textContent === "The draft is saved." && document.querySelector("#unsaved").hidden`)
	set := p.set()
	ada.do(chromedp.Navigate(origin + set))
	ada.await("the change set", `document.querySelector(".diff-line.added")`)
	ada.audit("change set")
	ada.typeOver("#field-submit", "Two letters in place of one")
	ada.press("#form-submit button.primary")
	ada.await("the submission", `document.querySelector(".state-line .badge").textContent === "In review"`)

	ben.do(chromedp.Navigate(origin + "/admin/drafts_and_reviews?whose=review"))
	ben.await("the queue", `document.querySelector("#list td a")`)
	ben.audit("desk")
	ben.press("#list td a")
	ben.await("the review", `document.querySelector("form[action$=approve]")`)
	ben.press("form[action$=approve] button")
	ben.await("the approval", `document.querySelector(".state-line .badge").textContent === "Approved"`)

	ada.do(chromedp.Navigate(origin + set))
	ada.press("#open-confirm-publish")
	ada.await("the question", `document.activeElement.matches("#confirm-publish h2")`)
	ada.press("#confirm-publish button.primary")
	ada.await("the release", `document.querySelector(".toast .done").textContent === "The changes are public."`)
	if err := published.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	ada.do(chromedp.Navigate(origin + "/productguide/letters/begin"))
	ada.await("the public page", `document.querySelector("article .prose strong").textContent === "two"`)

	late.typeOver("#field-text", "Write **nine** letters.")
	late.press("#item .actions button.primary")
	late.await("the conflict page", `document.querySelectorAll(".conflict-field").length === 1 && document.querySelector("#field-text").value.includes("nine")`)
	late.audit("conflict")
	late.press(".conflict-field button[value='theirs.text']")
	late.await("the text of the other", `document.querySelector("#field-text").value.includes("two")`)
	late.press(".conflict-field button[value='mine.text']")
	late.await("the own text again", `document.querySelector("#field-text").value.includes("nine")`)
	late.press("#item .actions button.primary")
	late.await("the saved draft", `document.querySelector(".toast .done").textContent === "The draft is saved."`)
}

// audit holds a page to the rules of axe-core, wide and narrow.
func (d *desk) audit(at string) {
	d.t.Helper()
	for _, width := range []int64{1440, 390} {
		d.do(chromedp.EmulateViewport(width, 900))
		browsertest.Evaluate[bool](d.t, d.ctx, `(scrollTo({ top: 0, behavior: "instant" }), true)`) // nothing is half below the header
		browsertest.JudgeWidth(d.t, d.ctx, width, at)
		if browsertest.Evaluate[bool](d.t, d.ctx, `document.documentElement.scrollWidth > innerWidth`) {
			d.t.Errorf("%s %d scrolls sideways", at, width)
		}
	}
	d.do(chromedp.EmulateViewport(1440, 900))
}
