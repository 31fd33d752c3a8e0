package web_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// press has the focus on an element and types keys.
func (p tab) press(selector, keys string) {
	p.t.Helper()
	p.run(fmt.Sprintf(`document.querySelector(%q).focus()`, selector))
	if !browsertest.Focused(p.t, p.ctx, selector) {
		p.t.Fatalf("%s takes no focus", selector)
	}
	if err := chromedp.Do(p.ctx, chromedp.KeyEvent(keys)); err != nil {
		p.t.Fatal(err)
	}
}

// focused says that an element has the focus.
func focused(selector string) string {
	return fmt.Sprintf(`document.activeElement.matches(%q)`, selector)
}

// said says what the announcer of the page told last.
func said(pattern string) string {
	return `/` + pattern + `/.test(document.getElementById("live").textContent)`
}

// done says what the message of an action reads, in a region that is announced.
func done(text string) string {
	return fmt.Sprintf(`document.querySelector("#toasts[role=status] .done")?.textContent === %q`, text)
}

// Every pattern of the gallery works by keyboard. After each swap axe-core finds
// nothing, screen readers hear what happened, and the focus is where it belongs.
func TestPatternsAreSeenAndHeard(t *testing.T) {
	t.Parallel()
	for _, width := range []int64{1440, 390} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			s := newStand(t)
			if err := chromedp.Do(s.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
				t.Fatal(err)
			}
			s.usePatterns(width)
		})
	}
}

// usePatterns uses every pattern in a window of a width.
func (s *stand) usePatterns(width int64) {
	t := s.t
	t.Helper()
	complaints := browsertest.Complaints(t, s.ctx, s.origin)
	s.open("/ui")
	s.run(`window.same = true`)
	const rows = `document.querySelectorAll("#list td[data-label=Recipient]").length`
	order := []string{"#list th a", "\r", focused("#list th a")}
	if width < 640 { // without column heads
		order = []string{"#filtered select[name=order]", "O", focused("select[name=order]")}
	}
	for _, step := range []struct {
		name, selector, keys string
		seen, heard, focus   string
	}{
		{"live search", "#filtered input[name=q]", "98123", rows + ` === 50 && location.search === "?q=98123"`, said(`^First 50 deliveries$`), focused("input[name=q]")},
		{"a filter", "#filtered select[name=state]", "w", rows + ` === 30 && location.search.includes("state=waiting")`, said(`^30 deliveries$`), focused("select[name=state]")},
		{"a filter that finds nothing", "#filtered input[name=q]", "77", `document.querySelector("#list .empty")`, said(`^No deliveries found$`), focused("input[name=q]")},
		{"a filter that is cleared", ".list-head a", "\r", rows + ` === 50 && location.search === ""`, said(`^First 50 deliveries$`), `document.activeElement !== document.body`},
		{"another order", order[0], order[1], `location.search.includes("order=asc") && document.querySelector("#list tbody td").textContent.startsWith("08:00")`, said(`^First 50 deliveries$`), order[2]},
		{"more rows", "#more a", "\r", rows + ` === 100`, said(`^50 deliveries on this page$`), `document.activeElement.closest("#list")`},
		{"details", "#open-details-4", "\r", `document.querySelector("#details-4 dl")`, `document.querySelector("#open-details-4").ariaExpanded === "true"`, focused("#open-details-4")},
		{"a question", "#details-4 .actions a", "\r", `document.querySelector("#confirm-4 form")`, `document.activeElement.matches("#confirm-4 h2") && document.activeElement.textContent.startsWith("Remove the delivery to")`, focused("#confirm-4 h2")},
		{"a question that is dismissed", "#confirm-4 button[data-dismiss]", "\r", `!document.querySelector("#confirm-4 form")`, focused("#details-4 .actions a"), focused("#details-4 .actions a")},
		{"the question again", "#details-4 .actions a", "\r", `document.querySelector("#confirm-4 form")`, focused("#confirm-4 h2"), focused("#confirm-4 h2")},
		{"what it asks for", "#confirm-4 form button", "\r", `!document.querySelector("#open-details-4")`, done("The delivery is removed."), `document.activeElement !== document.body`},
		{"an action", "#actions form button", "\r", `document.querySelectorAll("#toasts .toast").length === 1`, `/^The delivery to .* is delivered\.$/.test(document.querySelector("#toasts[role=status] .done").textContent)`, focused("#actions form button")},
		{"a message that is dismissed", "#toasts [data-dismiss]", "\r", `!document.querySelector("#toasts .toast")`, focused("main"), focused("main")},
		{"a form with 422", "#form-note button[type=submit]", "\r", `document.querySelector("#form-note [aria-invalid=true]").getAttribute("aria-describedby")`, `document.activeElement.textContent.includes("Enter a note.")`, focused("#form-note [data-focus]")},
	} {
		if step.name == "a form with 422" {
			s.run(`const text = document.querySelector("#form-note input[name=text]"); text.removeAttribute("required"); text.value = ""`)
		}
		s.press(step.selector, step.keys)
		s.await(step.name, `window.same && `+step.seen)
		s.await(step.name+", heard", step.heard)
		s.await("the focus after "+step.name, step.focus)
		s.await(step.name+" fits the screen", `document.documentElement.scrollWidth <= innerWidth`)
		browsertest.JudgeThemes(t, s.ctx, fmt.Sprintf("pattern %d %s", width, step.name))
	}
	s.conflict(width)
	s.row(width)
	for _, line := range complaints() {
		if !strings.Contains(line, "/ui/note") { // its 422 and 409 are lines of the log
			t.Errorf("the browser says: %s", line)
		}
	}
}

// conflict saves the note while somebody else does, and then over it.
func (s *stand) conflict(width int64) {
	s.t.Helper()
	s.run(`document.querySelector("#form-note input[name=text]").value = "mine"`)
	s.press("#conflicts form.post button", "\r")
	s.await("the button of the other person has done its part", `!document.querySelector("#conflicts form.post button").disabled`)
	s.press("#form-note button[type=submit]", "\r")
	s.await("both texts", `document.querySelector("#form-note dl") && document.querySelector("#form-note input[name=text]").value === "mine"`)
	s.await("the focus on the conflict", `document.activeElement.matches("#form-note .alert.bad, #form-note [data-focus]")`)
	browsertest.JudgeThemes(s.t, s.ctx, fmt.Sprintf("pattern %d conflict", width))
	s.press("#form-note button[type=submit]", "\r")
	s.await("the note is saved over the other one", `window.same && `+done("The note is saved."))
	s.await("the focus stays with the form", `document.activeElement.closest("#form-note")`)
	browsertest.JudgeThemes(s.t, s.ctx, fmt.Sprintf("pattern %d saved", width))
}

// row changes a row from elsewhere while a reader is on it: they keep their place
// and are not spoken to.
// The next delivery that waits is the one of the row.
func (s *stand) row(width int64) {
	s.t.Helper()
	s.count(&s.line.streams, 1, "streams")
	s.run(`document.querySelector("#open-details-12").focus(); document.getElementById("live").textContent = ""; window.badge = document.querySelector("#open-details-12").closest("tr").innerText`)
	token := browsertest.Evaluate[string](s.t, s.ctx, `document.querySelector("#actions input[name=_csrf]").value`)
	s.run(fmt.Sprintf(`fetch("/ui/advance", {method: "POST", headers: {"Content-Type": "application/x-www-form-urlencoded"}, body: %q})`, url.Values{"_csrf": {token}}.Encode()))
	s.await("the row changes", `document.querySelector("#open-details-12").closest("tr").innerText !== window.badge`)
	s.await("the reader stays", `window.same && document.activeElement.id === "open-details-12" && document.getElementById("live").textContent === ""`)
	browsertest.JudgeThemes(s.t, s.ctx, fmt.Sprintf("pattern %d live row", width))
}
