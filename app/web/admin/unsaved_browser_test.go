//go:build browser

package admin_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// What is typed survives its tab. Two tabs of one form keep a copy each, and the copy
// of a tab that is gone goes to the next one, with its time. Signing out forgets all.
func TestCopiesOfWhatIsTyped(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	home := p.writing(server.URL, "ada")
	form := server.URL + p.product + "/new?kind=guide&parent=" + p.id("product", "letters")
	open := func() (*desk, func()) {
		ctx, shut := chromedp.NewContext(home.ctx)
		t.Cleanup(shut)
		d := *home
		d.ctx = ctx
		d.do(chromedp.Navigate(form))
		d.await("the form", `document.querySelector("#item").dataset.seen && sessionStorage.tab`)
		return &d, shut
	}
	one, shut := open()
	one.typeOver("#field-title", "Typed in one")
	two, shutTwo := open()
	if browsertest.Evaluate[string](t, two.ctx, `document.querySelector("#field-title").value`) != "" {
		t.Error("the second tab takes the text of the first, which is open")
	}
	two.typeOver("#field-title", "Typed in two")
	one.do(chromedp.Navigate(form))
	one.await("its own text", `document.querySelector("#field-title").value === "Typed in one" && !document.querySelector("#unsaved").hidden`)
	shut()
	three, _ := open()
	three.await("the text of the closed tab", `document.querySelector("#field-title").value === "Typed in one" && /What you typed at .*\d\d:\d\d was put back/.test(document.querySelector("#unsaved p").textContent)`)
	three.press("#unsaved button")
	three.await("the empty form", `document.querySelector("#field-title").value === "" && document.querySelector("#unsaved").hidden`)
	shutTwo()
	four, _ := open()
	four.await("the text of the second tab", `document.querySelector("#field-title").value === "Typed in two"`)
	browsertest.Evaluate[bool](t, four.ctx, `(document.querySelector("form[action$=logout]").requestSubmit(), true)`)
	four.await("no copy", `Object.keys(localStorage).every((name) => !name.startsWith("unsaved:"))`)
}

// What is typed right before a row is moved is saved with the move, and stays.
func TestTypingAndMoving(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	ada := p.writing(server.URL, "ada")
	ada.do(chromedp.Navigate(server.URL + p.page("schema", "letter")))
	ada.await("the rows", `document.querySelector("[data-arrange].arranged")`)
	ada.press(`[data-at='/properties/id'] > summary`)
	ada.typeOver(`[name='in:/properties/id#format']`, "uuid")
	browsertest.Evaluate[bool](t, ada.ctx, `(document.querySelector("[data-at='/properties/id'] > summary").focus(), true)`)
	ada.alt(kb.ArrowDown)
	ada.await("the row at its place", `[...document.querySelectorAll("[data-list] > [data-at]")].pop().dataset.at === "/properties/id" && document.querySelector("[name='in:/properties/id#format']").value === "uuid"`)
	ada.await("no notice", `document.querySelector("#unsaved").hidden`)
	if raw := p.raw("letter"); !strings.Contains(raw, `"format":"uuid"`) || strings.Index(raw, `"text"`) > strings.Index(raw, `"id"`) {
		t.Errorf("the draft is %s", raw)
	}
}
