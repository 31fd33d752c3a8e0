//go:build browser

package reader_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// switchTo opens the menu of versions by keyboard and chooses one of its links.
func (w window) switchTo(href string) {
	w.t.Helper()
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".skip").focus()`))
	browsertest.Tab(w.t, w.ctx, "[popovertarget=versions-menu]")
	w.press("Enter", 0)
	w.await("the menu of versions opens", `document.getElementById("versions-menu").matches(":popover-open")`)
	browsertest.Tab(w.t, w.ctx, `#versions-menu a[href="`+href+`"]`)
	w.press("Enter", 0)
}

// Another version opens at the same endpoint and field. Where it lacks one of them,
// the reader sees when it was added or removed.
func TestVersionsAreSwitchedByKeyboard(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	said := browsertest.Complaints(t, ctx, w.origin)
	const (
		older = "/docs/portal/1.0/list-products"
		newer = "/docs/portal/1.1/list-products"
	)
	shown := func(path, field string) string {
		return `location.pathname === "` + path + `" && location.hash === "#` + field + `" && document.getElementById("` + field + `")?.checkVisibility() && document.querySelector("h1 + *, h1") !== null && ` + idle
	}
	w.open(newer+"#response-200.products.slug", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`window.kept = true`))
	w.switchTo(older)
	w.await("the older version opens at the field", shown(older, "response-200.products.slug")+` && `+same+` && !document.querySelector(".lost")`)
	w.switchTo(newer)
	w.await("and the newer one again", shown(newer, "response-200.products.slug")+` && `+same)

	w.open(newer+"#response-200.products.current_version", 1440, "light")
	w.await("the field is there", shown(newer, "response-200.products.current_version"))
	w.switchTo(older)
	w.await("a field that the version lacks is said to be gone", `location.pathname === "`+older+`" && document.querySelector(".lost code")?.textContent === "response-200.products.current_version"`)
	const entry = `document.querySelector('.lost a[href*="/docs/portal/compare?"]')`
	w.await("with the comparison that added it", entry+`?.textContent === "added in 1.1" && `+idle)
	w.follow(`.lost a[href*="/docs/portal/compare?"]`)
	w.await("at its entry", `location.pathname === "/docs/portal/compare" && document.getElementById(location.hash.slice(1))?.textContent.includes("response-200.products.current_version")`)

	w.open("/docs/portal/1.1/export-endpoint-json", 1440, "light")
	w.await("a version without the endpoint is marked", `document.querySelector("#versions-menu small")?.textContent === "without this endpoint: see the comparison"`)
	w.switchTo("/docs/portal/compare?from=1.0&to=1.1#op-export-endpoint-json")
	w.await("and opens the comparison that added it", `location.pathname === "/docs/portal/compare" && document.getElementById("op-export-endpoint-json")?.textContent.includes("Added")`)
	for _, s := range said() {
		t.Errorf("the browser says: %s", s)
	}
}

// Everything in the menu of a page works by keyboard: it is copied, it answers, or it
// leads to a client with the address of the server.
func TestPageMenuByKeyboard(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	said := browsertest.Complaints(t, ctx, w.origin)
	// A short page: axe-core reads the whole of it, whatever it judges.
	const path = "/docs/business-messaging/3.0/delete-media"
	w.open(path, 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`(window.kept = true, navigator.clipboard.writeText = async (text) => { window.copied = text; }, navigator.clipboard.write = async ([item]) => { window.copied = await (await item.getType("text/plain")).text(); })`))
	copied := func(selector, what string) {
		t.Helper()
		w.do(chromedp.Evaluate[chromedp.Void](`(window.copied = null, document.getElementById("live").textContent = "")`))
		browsertest.Tab(t, ctx, selector)
		w.press("Enter", 0)
		w.await(selector+" copies", `window.copied?.`+what+` && document.getElementById("live").textContent === "Copied to the clipboard"`)
	}
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".breadcrumb a").focus()`)) // after the navigation
	copied(".page-actions [data-copy-from]", `startsWith("# Delete media")`)
	browsertest.Tab(t, ctx, "[popovertarget=page-menu]")
	w.press("Enter", 0)
	const open = `document.getElementById("page-menu").matches(":popover-open")`
	w.await("the menu opens", open)
	copied("#page-menu [data-copy$='/delete-media']", `endsWith("`+path+`")`)
	copied("#page-menu [data-copy$='/mcp']", `endsWith("/mcp")`)
	for _, width := range []int64{1440, 390} {
		w.do(chromedp.EmulateViewport(width, 900))
		browsertest.JudgePartWidth(t, ctx, width, "#page-menu", "page menu")
		w.await("it fits the screen", `(({left, right}) => left >= 0 && right <= innerWidth)(document.getElementById("page-menu").getBoundingClientRect())`)
	}
	w.do(chromedp.EmulateViewport(1440, 900))
	w.press("Escape", 0)
	w.await("Escape closes it, and the focus is on its button", `!`+open+` && document.activeElement.matches("[popovertarget=page-menu]")`)

	links := browsertest.Evaluate[map[string]string](t, ctx, `Object.fromEntries([...document.querySelectorAll(".page-actions a")].map((a) => [a.textContent, a.href]))`)
	address := browsertest.Evaluate[string](t, ctx, `document.querySelector("#page-menu [data-copy$='/mcp']").dataset.copy`)
	for label, kind := range map[string]string{
		"View as Markdown": "text/markdown", "OpenAPI of this endpoint": "application/json", "OpenAPI of 3.0, JSON": "application/json",
		"OpenAPI of 3.0, YAML": "application/yaml", "Postman collection": "application/json", "Postman environment": "application/json", "Connect an assistant": "text/html",
	} {
		response, err := http.Get(links[label])
		if err != nil {
			t.Errorf("%s leads to %q: %v", label, links[label], err)
			continue
		}
		_ = response.Body.Close()
		if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || !strings.HasPrefix(got, kind) {
			t.Errorf("%s leads to %s, which answers %d %s", label, links[label], response.StatusCode, got)
		}
	}
	for label, host := range map[string]string{"Add to Cursor": "cursor.com", "Add to VS Code": "vscode.dev", "Add to Claude": "claude.ai"} {
		if !strings.HasPrefix(links[label], "https://"+host+"/") || !names(links[label], address) {
			t.Errorf("%s leads to %q, which does not name %s", label, links[label], address)
		}
	}
	w.press("Enter", 0)
	w.await("the menu opens again", open)
	browsertest.Tab(t, ctx, `#page-menu a[href^="/contact-us"]`)
	for _, s := range said() {
		t.Errorf("the browser says: %s", s)
	}
}

// names reports whether a link to a client has the address of the server in its
// query, which may be JSON, in base64 or not.
func names(link, address string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	for _, values := range u.Query() {
		decoded, _ := base64.StdEncoding.DecodeString(values[0])
		if strings.Contains(values[0], address) || strings.Contains(string(decoded), address) {
			return true
		}
	}
	return false
}
