//go:build browser

package reader_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// follow activates a link by keyboard.
func (w window) follow(selector string) {
	w.t.Helper()
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('` + selector + `').focus({preventScroll: true})`))
	w.press("Enter", 0)
}

// link activates a link that no page has.
func (w window) link(address string) {
	w.t.Helper()
	w.do(chromedp.Evaluate[chromedp.Void](`(() => { const main = document.getElementById("main"); main.insertAdjacentHTML("beforeend", '<a id="extra" href="` + address + `">Elsewhere</a>'); htmx.process(main); setTimeout(() => document.getElementById("extra").click()); })()`))
}

// savesData checks that a link is not preloaded while the reader saves data, and
// that another one is afterwards. preloads holds the paths that were preloaded.
func (w window) savesData(preloads *sync.Map, saved, preloaded string) {
	w.t.Helper()
	w.do(browsertest.Call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	for _, turn := range []struct{ saves, path string }{{"true", saved}, {"false", preloaded}} {
		w.do(chromedp.Evaluate[chromedp.Void](`void Object.defineProperty(navigator.connection, "saveData", {configurable: true, get: () => ` + turn.saves + `})`))
		w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.nav a[href="` + turn.path + `"]').focus({preventScroll: true})`))
		// Longer than a pointer has to rest on a link.
		w.do(chromedp.Evaluate[chromedp.Void](`new Promise((done) => setTimeout(done, 300))`, chromedp.EvalAwaitPromise))
	}
	pause := browsertest.Pauses()
	for end := time.Now().Add(10 * time.Second); ; pause() {
		if _, asked := preloads.Load(preloaded); asked {
			break
		}
		if time.Now().After(end) {
			w.t.Fatalf("%s is not preloaded", preloaded)
		}
	}
	if _, asked := preloads.Load(saved); asked {
		w.t.Errorf("%s is preloaded for a reader who saves data", saved)
	}
}

// same says that the document has not been loaded again since it was marked.
const same = `window.kept === true`

// settled says that the heading of a page that was swapped in has the focus, which
// is the last thing that happens.
const settled = `document.activeElement === document.querySelector("main h1")`

// idle says that no request is under way and that no response is being swapped in.
const idle = `!document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")`

// Pages take each other's place without a load, and a reader who goes by
// keyboard or ear knows where they are.
func TestNavigation(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	handler, preloads := documented(t).Server.Handler(), &sync.Map{}
	w := openWindow(t, ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("HX-Preloaded") != "" {
			preloads.Store(r.URL.Path, true)
		}
		handler.ServeHTTP(w, r)
	}))
	said := browsertest.Complaints(t, ctx, w.origin)
	at := func(path string) string { return `location.pathname === "` + path + `" && ` + same }
	const (
		first  = "/docs/business-messaging/3.0/list-products"
		second = "/docs/business-messaging/3.0/get-catalogue-id"
		guide  = "/productguide/business-messaging/"
		drawer = `document.getElementById("nav")`
	)

	w.open(first, 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`(window.kept = true, document.querySelector("[data-theme-toggle]").click())`))
	w.await("the theme is chosen", `document.documentElement.dataset.theme === "dark"`)
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".nav details").forEach((fold) => { fold.open = true; })`))
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.nav a[href="` + second + `"]').scrollIntoView({block: "center"})`))
	w.do(chromedp.Evaluate[chromedp.Void](`(window.before = ` + drawer + `.scrollTop, scrollTo({top: 300, behavior: "instant"}))`))
	w.await("groups are open and both parts scrolled", `window.before > 0 && scrollY === 300`)
	w.savesData(preloads, "/docs/business-messaging/3.0/send-message", second)
	w.follow(`.nav a[href="` + second + `"]`)
	w.await("a link swaps the page", at(second))
	w.await("the heading has the focus", `document.activeElement === document.querySelector("main h1") && document.activeElement.textContent === "Get the catalogue id"`)
	w.await("it is announced", `document.getElementById("live").textContent === document.title && document.title.startsWith("Get the catalogue id")`)
	w.await("the page begins at its top", `scrollY === 0`)
	// The mark may make its line higher by a pixel or two.
	w.await("the navigation stays where it was, and marks the page", `Math.abs(`+drawer+`.scrollTop - window.before) < 5 && ![...document.querySelectorAll(".nav details")].some((fold) => !fold.open) && `+drawer+`.querySelector("[aria-current=page]").getAttribute("href") === "`+second+`"`)
	w.await("the canonical address is the page's", `document.querySelector("link[rel=canonical]").href.endsWith("`+second+`") && document.querySelectorAll("link[rel=canonical]").length === 1`)
	w.await("choices survive", `document.documentElement.dataset.theme === "dark"`)

	w.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	w.await("back leads back", at(first)+` && document.querySelector("main h1").textContent === "List products"`)
	w.await("to where the reader was", `scrollY === 300`)
	w.do(chromedp.Evaluate[chromedp.Void](`history.forward()`))
	w.await("forward leads on", at(second)+` && document.querySelector("main h1").textContent === "Get the catalogue id" && `+settled)

	w.follow(`.site-links a`)
	w.await("the guide is a page too", at("/productguide")+` && document.querySelector("main h1").textContent === "Product guide" && `+settled)
	w.follow(`main a[href="` + guide + `receive-callbacks"]`)
	w.await("its tabs work", at(guide+"receive-callbacks")+` && document.querySelector(".tabs > details[open] > .tab-panel")?.checkVisibility() && `+settled)
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".tab")[2].click()`))
	w.await("by click", `document.querySelectorAll(".tabs > details")[2].open && !document.querySelectorAll(".tabs > details")[0].open`)
	w.follow(`.pager-previous`)
	w.await("so does the pager", at(guide+"send-your-first-message")+` && document.querySelector("main h1").textContent === "Send your first message" && `+settled)
	w.do(chromedp.Evaluate[chromedp.Void](`(window.asked = performance.getEntriesByType("resource").length, document.querySelector(".nav a[href$=idempotency]").focus())`))
	w.await("a page that is pointed at is fetched before", `performance.getEntriesByType("resource").slice(window.asked).some((e) => e.name.endsWith("idempotency"))`)
	w.press("k", control)
	w.await("search still opens", `document.getElementById("search").open && `+same)
	w.press("Escape", 0)
	w.link("/docs/nothing")
	w.await("a page that is not there is swapped in as well", at("/docs/nothing")+` && document.querySelector(".error-status")?.textContent === "404"`)
	w.link("/livez")
	w.do(chromedp.WaitVisible(chromedp.CSS("body > pre")))
	w.await("what is no page is left to the browser", `location.pathname === "/livez" && window.kept === undefined`)
	for _, s := range said() {
		if !strings.Contains(s, "/docs/nothing") && !strings.Contains(s, "/favicon.ico") { // its 404 is a line of the log
			t.Errorf("the browser says: %s", s)
		}
	}
}

// Everything is reachable without script.
func TestNavigationWithoutScript(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	w.do(browsertest.Script(false))
	w.open("/", 390, "light")
	for _, step := range []string{
		`.actions a[href="/productguide/business-messaging/send-your-first-message"]`,
		`main a[href="/docs/business-messaging/3.0/set-webhook"]`,
		`.breadcrumb a[href="/docs/business-messaging"]`,
		`main a[href="/productguide/business-messaging/receive-callbacks"]`,
		`.tabs > details:last-child > summary`,
		`.pager-next`,
	} {
		w.do(chromedp.Click(chromedp.CSS(step)))
	}
	w.do(chromedp.WaitVisible(chromedp.CSS(`.breadcrumb a[href="/productguide"]`)))
	w.open("/productguide/business-messaging/receive-callbacks", 390, "light")
	for _, id := range []string{"python", "java"} {
		w.do(chromedp.Click(chromedp.CSS(`details:has(> [id$="`+id+`"]) > summary`)), chromedp.WaitVisible(chromedp.CSS(`.tab-panel[id$="`+id+`"]`)))
	}
}

// The guide is for everybody.
func TestGuideIsAccessible(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	for _, path := range []string{"/", "/docs/business-messaging", "/productguide", "/productguide/business-messaging/receive-callbacks", "/productguide/nothing/here"} {
		w.open(path, 390, "light")
		for _, width := range []int64{390, 1440} {
			w.do(chromedp.EmulateViewport(width, 900), browsertest.Prefer("light"))
			w.await("it fits the screen", `document.documentElement.scrollWidth <= innerWidth`)
			browsertest.JudgeWidth(t, ctx, width, strings.ReplaceAll(strings.Trim(path, "/"), "/", "_"))
		}
	}
}
