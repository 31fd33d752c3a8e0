//go:build browser

package admin_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// A press anywhere in the box of a field types into that field.
func TestFieldsTakeAPressAnywhere(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	sue := p.writing(server.URL, "sue")
	for _, path := range []string{
		"/admin/products/new", p.guide, p.endpoint, p.version, p.page("product", "letters"), p.product + "/new?kind=endpoint&parent=" + p.id("version", "1.0"),
		"/admin/carriers", "/admin/carriers/new?kind=http", "/admin/carriers/new?kind=kannel", "/admin/sms-settings", "/admin/email-settings", "/admin/users/invite", "/admin/change-password", "/admin/synonyms", "/admin/retention",
	} {
		sue.do(chromedp.Navigate(server.URL + path))
		sue.await("the form of "+path, `document.querySelector("main form")`)
		sue.await("the editors of "+path, `![...document.querySelectorAll("textarea[data-code]:not([hidden])")].some((area) => area.checkVisibility()) &&
			[...document.querySelectorAll("code-editor")].every((e) => !e.checkVisibility() || e.shadowRoot?.querySelector(".cm-content"))`)
		if missed := browsertest.Points(t, sue.ctx); missed != "" {
			t.Errorf("%s: a press does not reach\n%s", path, missed)
		}
	}
	// A control that something covers is noticed.
	sue.run(`const field = document.querySelector("main input:not([type=hidden])"); field.parentElement.style.position = "relative"; field.insertAdjacentHTML("afterend", "<i style></i>"); Object.assign(field.nextElementSibling.style, { position: "absolute", inset: "50% 0 0 0" })`)
	if browsertest.Points(t, sue.ctx) == "" {
		t.Error("a covered field is not noticed")
	}
	// What is too long for its field scrolls by keyboard.
	sue.do(chromedp.Navigate(server.URL + p.guide))
	sue.await("its editor", `document.querySelector("code-editor#field-text")?.shadowRoot.querySelector(".cm-content")`)
	browsertest.Evaluate[bool](t, sue.ctx, `(document.querySelector("#field-text-text").value = "A line.\n".repeat(200), true)`)
	sue.await("a field that scrolls", `(() => { const s = document.querySelector("code-editor#field-text").shadowRoot.querySelector(".cm-scroller"); return s.scrollHeight > s.clientHeight + 100; })()`)
	if violations := browsertest.JudgeLayout(t, sue.ctx); violations != "" {
		t.Errorf("a long text: %s", violations)
	}
	// What is typed after a press near the lower edge is in the field, and the page
	// does not scroll.
	sue.do(chromedp.Navigate(server.URL + "/admin/products/new"))
	sue.await("the empty description", `document.querySelector("#field-description")`)
	sue.await("its editor", `document.querySelector("code-editor")?.shadowRoot.querySelector(".cm-content")`)
	box := browsertest.Evaluate[[]float64](t, sue.ctx, `(() => { const c = document.querySelector("code-editor"); c.scrollIntoView({ block: "center", behavior: "instant" }); const b = c.getBoundingClientRect(); return [b.left + 60, b.bottom - 12]; })()`)
	sue.do(chromedp.MouseClickXY(box[0], box[1]), chromedp.KeyEvent("ab cd"))
	if got := browsertest.Evaluate[string](t, sue.ctx, `document.querySelector("#field-description").value`); !strings.HasSuffix(got, "ab cd") {
		t.Errorf("typing at the lower edge of the field gives %q", got)
	}
}
