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

// points presses every control of a page that can be typed into at nine points of its
// area, and returns the ones that did not take the focus.
const points = `(async () => {
	const missed = [];
	const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	for (const control of document.querySelectorAll("main code-editor, main input:not([type=hidden], [type=checkbox], [type=radio], [hidden]), main textarea:not([hidden])")) {
		if (!control.checkVisibility() || control.disabled) continue;
		control.scrollIntoView({ block: "center", behavior: "instant" });
		await frames();
		for (let i = 0; i < 9; i++) {
			const box = control.getBoundingClientRect();
			const x = box.left + box.width * (i % 3 + 0.5) / 3, y = box.top + box.height * (Math.floor(i / 3) + 0.5) / 3;
			const root = control.shadowRoot ?? document;
			const hit = root.elementFromPoint(x, y);
			if (control.shadowRoot ? !hit?.closest("[contenteditable], .cm-gutters, .cm-panels") : hit !== control) {
				missed.push((control.id || control.getAttribute("aria-labelledby") || control.name || control.outerHTML.slice(0, 80)) + " at point " + i);
			}
		}
	}
	return missed.join("\n");
})()`

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
		if missed := browsertest.Evaluate[string](t, sue.ctx, points); missed != "" {
			t.Errorf("%s: a press does not type into\n%s", path, missed)
		}
	}
	// What is typed after a press near the lower edge is in the field, and the page
	// does not scroll.
	sue.do(chromedp.Navigate(server.URL + "/admin/products/new"))
	sue.await("the empty description", `document.querySelector("#field-description")`)
	sue.await("its editor", `document.querySelector("code-editor")?.shadowRoot.querySelector(".cm-content")`)
	box := browsertest.Evaluate[[]float64](t, sue.ctx, `(() => { const c = document.querySelector("code-editor"); c.scrollIntoView({ block: "center", behavior: "instant" }); const b = c.getBoundingClientRect(); return [b.left + 60, b.bottom - 12]; })()`)
	sue.do(chromedp.MouseClickXY(box[0], box[1]), chromedp.KeyEvent("ab cd"))
	if got := browsertest.Evaluate[string](t, sue.ctx, `document.querySelector("#field-description").value`); strings.TrimSpace(got) != "ab cd" {
		t.Errorf("typing at the lower edge of the field gives %q", got)
	}
}
