//go:build browser

package reader_test

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// toolText is the text of the answer that the setup page shows.
const toolText = `document.querySelector("#tool-result figure:last-child pre")?.textContent`

// The page about assistants calls two tools by keyboard: a search, then the endpoint
// that it found. Errors of the server are shown as an assistant gets them.
func TestToolsAreTriedInBrowser(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	said := browsertest.Complaints(t, ctx, w.origin)
	w.open("/", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`window.kept = true`))
	w.follow(`.site-footer a[href="/mcp-setup"]`)
	w.await("the page opens without loading the document again", `location.pathname === "/mcp-setup" && `+same+` && document.querySelector("#try")?.checkVisibility()`)
	w.await("each client is a tab, and one is shown", `document.querySelectorAll(".tabs summary").length > 10 && document.querySelectorAll(".tabs > details[open]").length === 1`)
	w.await("its script has come", `document.querySelector('script[src*="assistant"]') !== null`)

	enter := func(selector, text string) {
		t.Helper()
		browsertest.Tab(t, ctx, selector)
		w.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.select()`), chromedp.KeyEvent(text+"\r"))
	}
	enter("#field-query", "create an RCS bot")
	w.await("the search answers", toolText+`?.includes("/docs/rcs/1.0/create-bot.md")`)
	w.await("the request is shown as it was sent", `JSON.parse(document.querySelector("#tool-result pre").textContent).params.arguments.query === "create an RCS bot"`)
	w.await("its size and time are named", `/^Answer · 200 · \d+ ms · [\d,]+ characters$/.test(document.querySelector("#tool-result figure:last-child figcaption span").textContent)`)
	w.await("the endpoint that was found comes next", `document.getElementById("field-endpoint_id").value === "create-bot" && document.getElementById("field-product").value === "rcs" && document.getElementById("field-version").value === "1.0"`)
	browsertest.Tab(t, ctx, `[data-tool=get_endpoint] button`)
	w.do(chromedp.KeyEvent("\r"))
	w.await("the endpoint is shown", toolText+`?.startsWith("# Create a bot")`)
	w.await("a long answer unfolds", `document.querySelector("#tool-result .unfold")?.checkVisibility() && !document.querySelector("#tool-result figure:first-child .unfold")`)
	w.await("screen readers hear of it", `/^The answer has \d+ characters$/.test(document.getElementById("live").textContent)`)
	for _, width := range []int64{1440, 390} {
		w.do(chromedp.EmulateViewport(width, 900))
		browsertest.JudgeWidth(t, ctx, width, "setup")
		w.await("nothing is wider than the screen", `document.documentElement.scrollWidth <= innerWidth`)
	}
	enter("#field-endpoint_id", "create-a-bot")
	w.await("a mistake teaches", toolText+`?.includes("Closest") && `+toolText+`.includes("create-bot")`)
	for _, s := range said() {
		t.Errorf("the browser says: %s", s)
	}
	w.do(browsertest.Script(false))
	w.open("/mcp-setup", 1440, "light")
	w.do(chromedp.WaitNotVisible(chromedp.CSS("#try")))
}

// A comparison is read by keyboard alone: choose versions, filter, go from change to
// change, open what is unchanged, and follow a field to its page and back.
func TestCompareByKeyboard(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	said := browsertest.Complaints(t, ctx, w.origin)
	w.open("/docs/portal/compare?from=1.0&to=1.1", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`window.kept = true`))
	for _, width := range []int64{1440, 390} {
		w.do(chromedp.EmulateViewport(width, 900))
		browsertest.JudgeWidth(t, ctx, width, "compare")
		w.await("nothing is wider than the screen", `document.documentElement.scrollWidth <= innerWidth`)
	}
	w.do(chromedp.EmulateViewport(1440, 900))
	const changes = `[...document.querySelectorAll("[data-change]")]`
	w.press("n", 0)
	w.await("n goes to the first change", changes+`[0] === document.activeElement`)
	w.press("n", 0)
	w.press("n", 0)
	w.press("p", 0)
	w.await("n and p go on and back", changes+`[1] === document.activeElement`)
	w.press("Enter", 0)
	w.await("Enter takes the address of the change", `location.hash === `+changes+`[1].hash && `+same)

	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".skip").focus()`))
	browsertest.Tab(t, ctx, "#field-from")
	w.press("ArrowUp", 0)
	w.await("a version that is chosen shows at once", `location.search.includes("from=1.1") && document.getElementById("list").textContent.includes("the same version") && document.activeElement.id === "field-from" && `+same)
	w.press("ArrowDown", 0)
	w.await("and the other one again", changes+`.length > 3 && location.search.includes("from=1.0") && `+idle)
	before := browsertest.Evaluate[int](t, ctx, changes+`.length`)
	browsertest.Tab(t, ctx, `.search-filters a:not([aria-current])`)
	w.press("Enter", 0)
	w.await("a filter narrows the list", `new URLSearchParams(location.search).size > 2 && `+same+` && `+idle)
	w.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	w.await("back shows all", changes+`.length === `+strconv.Itoa(before)+` && `+idle)
	browsertest.Tab(t, ctx, `.compared summary`)
	w.press("Enter", 0)
	w.await("what is unchanged opens", `document.activeElement.parentElement.open`)
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#list").focus()`))
	browsertest.Tab(t, ctx, `.compared h3 a`)
	w.press("Enter", 0)
	w.await("an endpoint opens", `location.pathname.startsWith("/docs/portal/1.1/") && `+same)
	w.await("it links back to its changes", `document.querySelector('main a[href*="/docs/portal/compare?"]') !== null && `+idle)
	w.follow(`main a[href*="/docs/portal/compare?"]`)
	w.await("at its entry", `location.pathname === "/docs/portal/compare" && document.getElementById(location.hash.slice(1)) !== null`)
	for _, s := range said() {
		t.Errorf("the browser says: %s", s)
	}
}

// The changelog suits every width and theme.
func TestChangelogInBrowser(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	w.open("/docs/portal/changelog", 1440, "light")
	w.await("of versions that are published together, the latest is first", `document.querySelector("main h2").textContent === "Version 1.1 published"`)
	for _, width := range []int64{1440, 390} {
		w.do(chromedp.EmulateViewport(width, 900))
		browsertest.JudgeWidth(t, ctx, width, "changelog")
		w.await("nothing is wider than the screen", `document.documentElement.scrollWidth <= innerWidth`)
	}
}
