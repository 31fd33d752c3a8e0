//go:build browser

package admin_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// Typing on while the server still checks what was typed before writes nothing to the
// console, in the editor, in a filter and in the search. The last text wins.
func TestTypingLeavesTheConsoleClean(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	handler := p.Server.Handler()
	// Answers take longer than the pauses between words.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slow := strings.HasSuffix(r.URL.Path, "/checks") || strings.HasSuffix(r.URL.Path, "/preview") || r.URL.Path == "/api/search" || r.URL.Query().Has("q")
		if slow {
			time.Sleep(1500 * time.Millisecond)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.CloseClientConnections)
	sue := p.writing(server.URL, "sue")
	said := browsertest.Complaints(t, sue.ctx, server.URL)
	clean := func(where string) {
		t.Helper()
		for _, s := range said() {
			t.Errorf("%s: the browser says: %s", where, s)
		}
	}
	typeOn := func(words ...string) {
		for _, word := range words {
			sue.do(chromedp.KeyEvent(word))
			time.Sleep(time.Second)
		}
	}

	sue.do(chromedp.Navigate(server.URL + p.guide))
	sue.await("the editor", `document.querySelector("code-editor#field-text")?.shadowRoot.querySelector(".cm-content")`)
	browsertest.Tab(t, sue.ctx, "#field-text")
	typeOn("one ", "two ", "three ")
	sue.await("the last word in the preview", `document.querySelector("#preview").textContent.includes("one two three")`)
	clean("a guide")

	sue.do(chromedp.Navigate(server.URL + p.endpoint))
	sue.await("what was checked at first", `document.querySelector("#checks li, #field-name")`)
	browsertest.Tab(t, sue.ctx, "#field-name")
	typeOn(" a", " b", " c")
	sue.await("the last word in the preview", `/ a b c/.test(document.querySelector("#preview .shown-title").textContent)`)
	clean("an endpoint")

	sue.do(chromedp.Navigate(server.URL + "/admin/users"))
	sue.await("the filter", `document.querySelector("main form[hx-get] [name=q]")`)
	browsertest.Tab(t, sue.ctx, "main form[hx-get] [name=q]")
	typeOn("a", "d", "a")
	sue.await("the answer to the last of them", `location.search.includes("q=ada")`)
	clean("a filter")

	sue.do(chromedp.Navigate(server.URL + "/docs"))
	sue.await("the page", `document.querySelector("h1")`)
	sue.do(chromedp.KeyEvent("/"))
	sue.await("the search", `document.querySelector("dialog#search")?.open && document.activeElement.id === "search-text"`)
	typeOn("le", "tt", "er")
	sue.await("what was found", `document.querySelector("#search-list [role=option]")`)
	// Closing it gives up what is still asked for.
	sue.do(chromedp.KeyEvent("s"))
	time.Sleep(500 * time.Millisecond)
	browsertest.Evaluate[bool](t, sue.ctx, `(document.querySelector("dialog#search [data-close]").click(), true)`)
	sue.await("the search closed", `!document.querySelector("dialog#search").open`)
	clean("the search")
}
