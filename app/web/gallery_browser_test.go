//go:build browser

package web_test

import (
	"strconv"
	"testing"

	"heliograph/views/browsertest"
)

// The parts of the gallery are accessible after each swap, as what is on the page at
// first is, and the focus is never lost.
func TestGalleryAfterEachSwap(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.open("/ui")
	s.run(`window.same = true`)
	const focused = `document.activeElement !== document.body`
	// step judges the part that a swap changes; the page as a whole is judged at the end.
	step := func(what, part, script, condition string) {
		t.Helper()
		s.run(script)
		s.await(what, condition+` && window.same && document.querySelectorAll("#toasts").length === 1 && document.querySelectorAll("#flash").length === 1`)
		browsertest.JudgePart(t, s.ctx, part, what)
	}
	press := func(selector string) string {
		return `const part = document.querySelector(` + strconv.Quote(selector) + `); part.focus(); part.click()`
	}
	step("rows in another order", "#list", press("#list th a"), `location.search !== ""`)
	rows := `document.querySelectorAll("#list tbody tr").length`
	s.run(`window.rows = ` + rows)
	step("more rows", "#list", press("#more a"), rows+` > window.rows && `+focused)
	step("a row that is open", ".details", press("a[id^=open-details-]"), `document.querySelector(".details h2, .details dl") && `+focused)
	step("a question", ".confirm", press(".details .actions a"), `document.querySelector(".confirm form") && `+focused)
	step("a question that was dismissed", ".details", press(".confirm [data-dismiss], .confirm .actions a"), `!document.querySelector(".confirm form") && `+focused)
	step("a form with 422", "#form-note", `document.querySelector("#form-note [name=text]").removeAttribute("required"); document.querySelector("#form-note [name=text]").value = ""; `+press("#form-note button"), `document.activeElement.matches("#form-note [data-focus]")`)

	// A button that is disabled while it waits loses the focus, also without a swap.
	s.line.delay.Store(300)
	step("a press that changes nothing here", "form[action$=elsewhere]", press("form[action$=elsewhere] button"), `!document.activeElement.disabled && document.activeElement.matches("form[action$=elsewhere] button")`)
	s.line.delay.Store(0)
	// The form has its summary from before until the answer comes.
	step("a form with 409", "#form-note", `document.querySelector("#form-note [name=text]").value = "Mine"; `+press("#form-note button"), `document.querySelector("#form-note dl") && `+focused)
	step("a save over a conflict", "#toasts", press("#form-note button"), `document.querySelector("#toasts .toast") && !document.querySelector("#form-note .alert.bad") && `+focused)
	step("a toast that was dismissed", "#form-note", press(".toast [data-dismiss]"), `!document.querySelector(".toast") && `+focused)
	s.judge("the page after all of them")
}

// An event may replace a form while its answer is under way. What goes beside the
// answer keeps its place nevertheless.
func TestAnswerForAPartThatIsGone(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.open("/ui")
	s.run(`document.querySelector("a[id^=open-details-]").click()`)
	s.await("the row", `document.querySelector(".details .actions a")`)
	s.run(`document.querySelector(".details .actions a").click()`)
	s.await("the question", `document.querySelector(".confirm form")`)
	s.run(`document.addEventListener("htmx:beforeSend", ({ target }) => target.remove(), { once: true }); document.querySelector(".confirm form button[type=submit]").click()`)
	s.await("the answer", `document.querySelector(".toast")`)
	s.await("one of each region, in its place", `document.querySelectorAll("#toasts").length === 1 && document.querySelectorAll("#flash").length === 1 && !document.querySelector("main #toasts")`)
}
