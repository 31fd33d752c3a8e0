//go:build browser

package web_test

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// What is swapped into the account, the sign-in and the registration is accessible,
// in both themes.
func TestSwapsAreAccessible(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	step := func(what, script, condition string) {
		t.Helper()
		s.run(script)
		s.await(what, condition+` && window.same && document.activeElement !== document.body`)
		browsertest.JudgeThemes(t, s.ctx, "swapped "+what)
	}
	press := func(selector string) string {
		return `const part = document.querySelector("` + selector + `"); part.focus(); part.click()`
	}
	open := func(path string) {
		t.Helper()
		s.open(path)
		s.run(`window.same = true`)
	}
	choose := func(name, value string) string {
		return `const part = document.querySelector("select[name=` + name + `]"); part.focus(); part.value = "` + value + `"; part.dispatchEvent(new Event("change", {bubbles: true}))`
	}
	s.message("919800000001")
	open("/account/messages")
	step("filter of messages", choose("state", "accepted"), `location.search === "?state=accepted" && `+rows+` === 1`)
	step("opened message", press("#list [aria-controls]"), `document.querySelector("#list [aria-controls]").ariaExpanded === "true" && document.querySelector("#list .details dl")`)
	step("list without a row", choose("state", "failed"), `document.querySelector("#list .empty")`)
	step("another page of the account", press("#sections a[href='/account/webhooks']"), `location.pathname === "/account/webhooks" && document.activeElement.matches("main h1")`)
	open("/admin/audit")
	step("another page of the administration", press("#sections a[href='/admin/organisations']"), `location.pathname === "/admin/organisations" && document.activeElement.matches("main h1")`)
	step("filter of organisations", `const part = document.querySelector("input[name=q]"); part.focus(); part.value = "nobody"; part.dispatchEvent(new Event("input", {bubbles: true}))`, `location.search === "?q=nobody" && document.querySelector("#list .empty")`)

	if err := chromedp.Do(s.ctx, browsertest.Call(network.ClearBrowserCookies, cdp.Empty{})); err != nil {
		t.Fatal(err)
	}
	fill := func(values string) string {
		return `for (const [name, value] of Object.entries({` + values + `})) document.querySelector("main [name=" + name + "]").value = value; `
	}
	submit := press("main form button[type=submit]")
	open("/login")
	step("refused sign-in", fill(`email: "asha@example.com", password: "not the right one"`)+submit, `document.querySelector("#login .alert.bad")`)
	open("/register")
	registration := `organisation: "Lighthouse Books", email: "asha@example.com", mobile: "+91 98123 45678", password: "seven pale kites climb", confirmation: `
	step("refused registration", fill(registration+`"something else"`)+submit, `document.activeElement.matches("#register [data-focus]")`)
	s.run(fill(registration+`"seven pale kites climb"`) + submit)
	s.await("the question for the code", `location.pathname === "/register/verify" && document.activeElement.matches("#field-code")`)
	s.run(`window.same = true`)
	browsertest.JudgeThemes(t, s.ctx, "swapped code")
	step("wrong code", fill(`code: "000000"`)+submit, `document.querySelector("#field-code").ariaInvalid === "true"`)
	step("another code too soon", press("form.again button"), `document.querySelector("form.again .alert.bad")`)
}
