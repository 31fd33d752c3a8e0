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

// is holds a condition of the page.
func (d *desk) is(what, condition string) {
	d.t.Helper()
	if !browsertest.Evaluate[bool](d.t, d.ctx, `Boolean(`+condition+`)`) {
		d.t.Errorf("%s: not so", what)
	}
}

// run runs a script in the page.
func (d *desk) run(script string) {
	d.t.Helper()
	browsertest.Evaluate[bool](d.t, d.ctx, `((() => { `+script+` })(), true)`)
}

// What is no JSON in an example, and what does not match its schema, is underlined
// while it is typed. The message links to its line and column. The textarea holds
// the text all the time, so that it is saved by itself.
func TestCodeEditor(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	media := "/responses/200/content/application~1json"
	p.ada.Post(p.endpoint+"/outline", p.filled(p.ada.Get(p.endpoint), "do", "example:"+media))
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	ada := p.writing(server.URL, "ada")
	said := browsertest.Complaints(t, ada.ctx, server.URL)

	ada.do(chromedp.Navigate(server.URL + p.endpoint))
	ada.await("the editor", `document.querySelector("code-editor")`)
	ada.is("the example is closed and has no editor yet", `!document.querySelector(".outline code-editor.mono")`)
	ada.run(`document.querySelectorAll(".outline details").forEach((row) => { row.open = true; })`)
	ada.await("the editor of the example", `document.querySelector(".outline code-editor.mono")`)
	const example = ".outline code-editor.mono"
	area := `document.querySelector("textarea[name$='#value']")`
	marked := func(kind string) string {
		return `document.querySelector("` + example + `").shadowRoot.querySelector(".cm-lintRange-` + kind + `") && document.querySelector("` + example + `").shadowRoot.querySelector(".cm-gutter-lint .cm-lint-marker")`
	}

	ada.typeOver(example, `{"id": x}`)
	ada.is("the textarea has the text", area+`.value === '{"id": x}' && `+area+`.hidden`)
	ada.await("the place of what is no JSON", `document.querySelector("#checks li.bad a[data-line='1'][data-column='8']")`)
	ada.await("its underline", marked("error"))
	ada.press("#checks li a")
	ada.await("the cursor in the editor", `document.activeElement.matches("`+example+`")`)
	ada.do(chromedp.KeyEvent("7"))
	ada.is("the link leads to the place", area+`.value === '{"id": 7x}'`)
	ada.typeOver(example, `{"id": 7}`)
	ada.await("what the schema says", `document.querySelector("#checks li.warn a[data-column='8']") && document.querySelector("#checks").textContent.includes("Response 200, example")`)
	ada.await("its underline", marked("warning"))
	ada.audit("code editor")
	ada.typeOver(example, `{"id": "7"}`)
	ada.await("no fault", `document.querySelector("#checks li.good").textContent.includes("Every example matches")`)
	ada.await("no underline", `!(`+marked("warning")+`)`)
	ada.await("the typing to be saved", `document.querySelector("#saved p").textContent.startsWith("Saved at")`)
	if raw := p.raw("send-letter"); !strings.Contains(raw, `{"value":{"id":"7"}}`) {
		t.Errorf("the draft holds %s", raw)
	}
	ada.do(chromedp.KeyEvent("\t"))
	ada.is("Tab leaves the editor", `!document.activeElement.matches("`+example+`")`)
	ada.run(area + `.value = "{}"`)
	ada.is("what is put into the textarea is in the editor", `document.querySelector("`+example+`").value === "{}"`)
	ada.run(area + `.value = '{"id": "8"}'`)

	// The form comes back with the parts as one text. The focus and the cursor stay.
	ada.typeOver("#field-purpose", "ends one letter.")
	ada.do(chromedp.KeyEvent(kb.Home))
	ada.run(`document.querySelector("button[value=source]").click()`)
	ada.await("the source", `document.querySelector("#field-raw").shadowRoot && document.activeElement.id === "field-purpose"`)
	ada.do(chromedp.KeyEvent("S"))
	ada.is("the cursor stayed", `document.querySelector("[name=purpose]").value === "Sends one letter."`)
	ada.is("the source has what was typed", `document.querySelector("#field-raw").value.includes('"id": "8"')`)
	ada.typeOver("#field-raw", "responses: {200: {descripton: OK}}")
	ada.await("the place of what is no operation", `document.querySelector("#checks a[href='#field-raw'][data-line='1'][data-column='18']")`)
	ada.audit("source")
	for _, s := range said() {
		t.Errorf("the browser says: %s", s)
	}
	ada.typeOver("#field-raw", "responses: {")
	ada.press("#item .actions button.primary")
	ada.await("the refusal", `document.querySelector("#field-raw-error a[data-line]") && document.querySelector("#field-raw").shadowRoot.querySelector("[aria-invalid=true]")`)
	ada.is("what was typed is there", `document.querySelector("#field-raw").value === "responses: {"`)
	ada.press("[data-focus] a[href='#field-raw']")
	ada.is("the summary leads to the editor", `document.activeElement.id === "field-raw"`)
}

// Buttons and keys write Markdown around what is selected.
func TestMarkdownTools(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	ada := p.writing(server.URL, "ada")
	ada.do(chromedp.Navigate(server.URL + p.guide))
	ada.await("the tools", `document.querySelector("[role=toolbar][aria-controls=field-text]")`)
	held := func(text string) {
		t.Helper()
		ada.is("the field has "+text, `document.querySelector("textarea[name=text]").value === `+"`"+strings.ReplaceAll(text, "`", "\\`")+"`")
	}
	begin := func(text string) {
		t.Helper()
		ada.typeOver("#field-text", text)
		ada.run(`document.querySelector("#field-text").select()`)
	}
	for _, c := range []struct{ mark, text, want, again string }{
		{"bold", "post it", "**post it**", "post it"},
		{"italic", "post it", "_post it_", "post it"},
		{"code", "post it", "`post it`", "post it"},
		{"link", "https://a.example", "[text](https://a.example)", ""},
		{"heading", "Post it", "## Post it", "Post it"},
		{"list", "Post it", "- Post it", "Post it"},
		{"numbers", "Post it", "1. Post it", "Post it"},
		{"table", "x", "| Column | Column |\n|---|---|\n| Value | Value |\n", ""},
		{"note", "Post it", "> [!NOTE]\n> Post it\n", ""},
	} {
		begin(c.text)
		ada.run(`document.querySelector("[data-mark=` + c.mark + `]").click()`)
		held(c.want)
		if c.again != "" {
			ada.run(`document.querySelector("[data-mark=` + c.mark + `]").click()`)
			held(c.again)
		}
		ada.is("the editor has the focus", `document.activeElement.id === "field-text"`)
	}
	begin("post it")
	ada.do(chromedp.KeyEvent("b", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	held("**post it**")
	ada.await("the preview", `document.querySelector("#preview .prose strong").textContent === "post it"`)

	// One of the tools is in the order of Tab; arrows reach the others.
	browsertest.Tab(t, ada.ctx, "[data-mark=note]")
	ada.do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.ArrowRight))
	ada.is("the first tool follows the last", `document.activeElement.dataset.mark === "bold"`)
	ada.do(chromedp.KeyEvent("\t"))
	ada.is("Tab leaves the tools", `document.activeElement.id === "field-text"`)
	ada.audit("Markdown")

	ada.do(browsertest.Script(false), chromedp.Navigate(server.URL+p.guide))
	ada.is("without script there are no tools", `!document.querySelector("[role=toolbar]") && document.querySelector("textarea#field-text")`)
}
