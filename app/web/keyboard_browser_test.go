//go:build browser

package web_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"heliograph/app/web/webtest"
	"heliograph/views/browsertest"
)

// keys types, with a tab for the Tab key and a carriage return for Enter.
func (p tab) keys(text string) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, chromedp.KeyEvent(text)); err != nil {
		p.t.Fatal(err)
	}
}

// follow moves the focus to an element by the Tab key and presses Enter there.
func (p tab) follow(selector string) {
	p.t.Helper()
	browsertest.Tab(p.t, p.ctx, selector)
	p.keys("\r")
}

// A member signs in, makes a key, tries to revoke it and thinks better of it,
// without a pointer and without loading a page again after the sign-in.
func TestAccountByKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	if err := chromedp.Do(s.ctx, browsertest.Call(network.ClearBrowserCookies, cdp.Empty{})); err != nil {
		t.Fatal(err)
	}
	var email string
	if err := s.pool.QueryRow(t.Context(), `select email from organisation_users where email like 'owner%'`).Scan(&email); err != nil {
		t.Fatal(err)
	}
	s.open("/account/keys")
	browsertest.Tab(t, s.ctx, "main input[name=email]")
	s.keys(email + "\t")
	browsertest.Tab(t, s.ctx, "main input[name=password]")
	s.keys(webtest.Password + "\r")
	s.await("the page that was asked for", `location.pathname === "/account/keys" && document.querySelector("#form-key")`)
	s.run(`window.same = true`)
	browsertest.Tab(t, s.ctx, "#field-name")
	s.keys("Shop\r")
	s.await("the key, and the focus on the new page", `window.same && document.querySelector(".secret pre") && document.activeElement.closest("main")`)
	s.follow("td a[href$='/revoke']")
	s.await("the question has the focus", `window.same && document.activeElement.matches("main .confirm h2")`)
	s.judge("a question by keyboard")
	browsertest.Tab(t, s.ctx, "main .confirm button[data-dismiss]")
	s.keys("\r")
	s.await("the focus is back where it came from", `!document.querySelector("main .confirm h2") && document.activeElement.matches("td a[href$='/revoke']")`)
	s.keys("\r")
	s.await("the question again", `document.activeElement.matches("main .confirm h2")`)
	s.follow("main .confirm form button")
	s.await("the key is revoked, and that is said", `window.same && document.querySelector("#toasts[role=status] .done") && !document.querySelector("main .confirm h2") && document.activeElement !== document.body`)
	s.judge("a revoked key")
}

// Somebody quick presses a field of the page that has just come, before its heading has
// the focus. What they type then belongs to the field.
func TestFieldOfANewPageKeepsTheFocus(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.open("/account/messages")
	s.run(`document.addEventListener("htmx:afterSwap", () => { document.querySelector("#field-name")?.focus(); }); document.addEventListener("htmx:afterSettle", () => { window.settled = location.pathname; }); document.querySelector("#sections a[href='/account/keys']").click()`)
	s.await("the page has come, and the field has the focus", `window.settled === "/account/keys" && document.activeElement.id === "field-name"`)
}

// Back and forward lead to the page, its filter and its place, in the document that
// is open.
func TestHistoryOfTheAccount(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	for n := range 40 {
		s.message("9198000000" + string(rune('0'+n/10)) + string(rune('0'+n%10)))
	}
	s.open("/account/messages")
	s.await("the rows", rows+` === 40`)
	s.run(`window.same = true; const state = document.querySelector("select[name=state]"); state.value = "accepted"; state.dispatchEvent(new Event("change", {bubbles: true}))`)
	s.await("the filter", `location.search === "?state=accepted" && `+rows+` === 40`)
	s.run(`scrollTo({top: 400, behavior: "instant"})`)
	s.run(`document.querySelector("#sections a[href='/account/keys']").click()`)
	s.await("another page, from its top, with the focus on its heading", `location.pathname === "/account/keys" && document.activeElement.matches("main h1") && scrollY === 0`)
	s.run(`document.querySelector("#sections a[href='/account/team']").click()`)
	s.await("a third page", `location.pathname === "/account/team" && document.activeElement.matches("main h1")`)
	s.run(`history.go(-2)`)
	s.await("the list with its filter and its place", `window.same && location.pathname + location.search === "/account/messages?state=accepted" && document.querySelector("select[name=state]").value === "accepted" && `+rows+` === 40 && scrollY === 400`)
	s.await("its section is the current one", `document.querySelector("#sections [aria-current=page]").getAttribute("href") === "/account/messages"`)
	s.judge("a list after going back")
	s.run(`history.forward()`)
	s.await("forward again", `window.same && location.pathname === "/account/keys" && document.querySelector("h1").textContent === "API keys"`)
	s.exec(`delete from sessions`)
	s.run(`history.back()`)
	s.await("a session that has ended meanwhile", `location.pathname === "/login" && new URLSearchParams(location.search).get("next") === "/account/messages?state=accepted"`)
}

// A filter with a slow answer changes nothing of the page that was opened
// meanwhile, nor its address.
func TestSlowFilterIsLeftBehind(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.open("/account/messages")
	s.line.delay.Store(1500)
	s.run(`document.addEventListener("htmx:beforeSend", () => { window.sent = true; }); const state = document.querySelector("select[name=state]"); state.value = "failed"; state.dispatchEvent(new Event("change", {bubbles: true}))`)
	s.await("the filter is asked for", `window.sent`)
	time.Sleep(100 * time.Millisecond) // so that the server has begun to wait
	s.line.delay.Store(0)
	s.run(`window.same = true; document.querySelector("#sections a[href='/account/keys']").click()`)
	s.await("the other page", `location.pathname === "/account/keys" && document.querySelector("h1").textContent === "API keys"`)
	time.Sleep(2 * time.Second)
	s.await("it stays", `window.same && location.pathname === "/account/keys" && document.querySelector("h1").textContent === "API keys" && !document.querySelector("#list, #flash [role=alert]")`)
}
