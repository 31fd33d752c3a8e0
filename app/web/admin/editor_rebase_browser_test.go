//go:build browser

package admin_test

import (
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// An author rebases by keyboard: the text of their own opens with its choice.
func TestRebaseInBrowser(t *testing.T) {
	t.Parallel()
	p := newPressOver(t, dbtest.Pool(t), nil)
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write **two** letters."))
	set := p.set()
	p.publishBehind("Write **three** letters.", "Their summary.")
	ada := p.writing(server.URL, "ada")
	ada.do(chromedp.Navigate(server.URL + set + "/rebase"))
	ada.await("the choices", `document.querySelectorAll("main input[type=radio]").length === 3 && document.querySelector(".own-text").offsetHeight === 0`)
	ada.audit("rebase")
	ada.press("main form.wide button[type=submit]")
	ada.await("the mistake", `document.querySelector(".radios.invalid .error")`)
	ada.audit("rebase without a choice")
	browsertest.Tab(t, ada.ctx, "main input[type=radio]")
	ada.do(chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	ada.await("the text", `document.querySelector("input[value=edit]").checked && document.querySelector(".own-text").offsetHeight > 0`)
	ada.audit("rebase with a text")
	ada.typeOver(".own-text textarea", "Write four letters.")
	ada.press("main form.wide button[type=submit]")
	ada.await("the change set", `location.pathname === "`+set+`" && document.body.textContent.includes("1 chosen")`)
}
