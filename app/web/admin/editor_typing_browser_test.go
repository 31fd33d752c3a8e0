//go:build browser

package admin_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// By keyboard alone, an Editor adds a parameter and a status to an endpoint. What
// was typed is in the draft a second later. What is typed after the session ended
// is there again after signing in.
func TestTypingIsKept(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	ada := p.writing(server.URL, "ada")
	saved := `document.querySelector("#saved p").textContent.startsWith("Saved at")`

	ada.do(chromedp.Navigate(server.URL + p.endpoint))
	ada.await("the form", `document.querySelector(".outline")`)
	add := `button[value="parameter:/parameters"]`
	browsertest.Tab(t, ada.ctx, add)
	ada.do(chromedp.KeyEvent("\r"))
	ada.await("the new parameter", `document.activeElement.name === "in:/parameters/0#name"`)
	browsertest.Evaluate[bool](t, ada.ctx, `(document.activeElement.select(), true)`)
	ada.do(chromedp.KeyEvent("limit"))
	ada.await("the typing to be unsaved", `document.querySelector("#saved p").textContent === "Not saved yet."`)
	ada.await("the typing to be saved", saved)
	if raw := p.raw("send-letter"); !strings.Contains(raw, `"parameters":[{"name":"limit","in":"query","schema":{"type":"string"}}]`) {
		t.Errorf("the draft holds %s", raw)
	}
	if !browsertest.Focused(t, ada.ctx, `[name="in:/parameters/0#name"]`) {
		t.Error("saving took the focus")
	}
	ada.audit("rows")

	exec(t, p.Site, `delete from sessions`)
	browsertest.Tab(t, ada.ctx, "#field-name")
	browsertest.Evaluate[bool](t, ada.ctx, `(document.activeElement.select(), true)`)
	ada.do(browsertest.Call(input.InsertText, input.InsertTextParams{Text: "Post a letter now"})) // at once: the page may leave any time
	ada.await("the sign-in form", `document.querySelector("#field-password")`)
	ada.signIn("ada")
	ada.await("what was typed", `document.querySelector("#field-name")?.value === "Post a letter now" && !document.querySelector("#unsaved").hidden`)
	ada.run(`document.querySelector("#item > details:has(#field-operation_id)").open = true`)
	ada.typeOver("#field-operation_id", "postLetter")
	ada.await("the typing to be saved", saved)
	if name := p.text(`select r.content->>'name' from items i join revisions r on r.id = i.draft_revision_id where i.slug = 'send-letter'`); name != "Post a letter now" {
		t.Errorf("the draft is named %q", name)
	}
}
