//go:build browser

package admin_test

import (
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/app/web"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// A reviewer comments on lines of a text by keyboard, and the author answers beside
// the form without losing what is typed there.
func TestThreadsInBrowser(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener, signals := db.NewListener(pool), db.NewSignals(pool)
	p := newPressOver(t, pool, func(deps *web.Deps) { deps.Listener, deps.Signals = listener, signals })
	go listener.Run(t.Context())
	go signals.Run(t.Context())
	go p.Server.Run(t.Context())
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write **two** letters.\n\nThen post them."))
	set := p.set()
	ben, ada := p.writing(server.URL, "ben"), p.writing(server.URL, "ada")
	ben.do(chromedp.Navigate(server.URL + set))
	ben.await("the difference", `document.querySelector(".diff .difference-asks a")`)
	browsertest.Tab(t, ben.ctx, ".diff .difference-asks a")
	ben.do(chromedp.KeyEvent("\r"))
	ben.await("the form", `document.activeElement.matches(".confirm h3")`)
	ben.audit("new comment")
	ben.typeOver(".confirm textarea", "Why **two**?")
	ben.press(".confirm button.plain[type=submit]")
	ben.await("the thread", `document.activeElement.matches(".thread summary") && document.querySelector(".thread .prose strong").textContent === "two"`)
	ben.await("the place for the next", `document.querySelectorAll(".confirm").length === 0`)
	ben.audit("thread")
	ben.do(chromedp.Navigate(server.URL + set))
	ben.await("the count", `document.querySelector("#live-threads")?.textContent.includes("1 open comment")`)
	ben.press(".diff .difference-asks a")
	ben.await("the form of the next comment", `document.querySelector(".confirm textarea")`)

	ada.do(chromedp.Navigate(server.URL + p.guide))
	ada.await("the thread beside the form", `document.querySelector(".rail .thread[open] textarea")`)
	ada.audit("editor with a thread")
	ada.typeOver("#field-summary", "Two letters.")
	ada.typeOver(".rail .thread textarea", "One is not enough.")
	ada.press(".rail .thread button[value=resolve]")
	ada.await("the resolved thread", `document.querySelector(".rail .thread .badge").textContent.includes("Resolved by ada") && document.querySelectorAll(".rail .remarks > li").length === 2`)
	if !browsertest.Evaluate[bool](t, ada.ctx, `document.querySelector("#field-summary").value === "Two letters."`) {
		t.Error("what was typed into the form is lost")
	}
}
