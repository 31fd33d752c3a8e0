//go:build browser

package reader_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// window is a browser window on the site.
type window struct {
	t      *testing.T
	ctx    context.Context
	origin string
}

// openWindow shows a site in a browser.
func openWindow(t *testing.T, ctx context.Context, site http.Handler) window {
	t.Helper()
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	return window{t, ctx, server.URL}
}

func (w window) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, actions...); err != nil {
		w.t.Fatal(err)
	}
}

func (w window) open(path string, width int64, theme string) {
	w.t.Helper()
	w.do(chromedp.EmulateViewport(width, 900), browsertest.Prefer(theme), chromedp.Navigate("about:blank"), chromedp.Navigate(w.origin+path))
}

// Modifiers of keys.
const (
	control = 2
	shift   = 8
)

// press presses a key with modifiers, as a keyboard does.
func (w window) press(key string, modifiers int64) {
	w.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		event := input.DispatchKeyEventParams{Type: kind, Key: key, Modifiers: modifiers, WindowsVirtualKeyCode: keyCodes[key]}
		if kind == input.DispatchKeyEventTypeKeyDown && len(key) == 1 && modifiers == 0 {
			event.Text = key
		}
		if kind == input.DispatchKeyEventTypeKeyDown && key == "Enter" {
			event.Text = "\r"
		}
		w.do(browsertest.Call(input.DispatchKeyEvent, event))
	}
}

var keyCodes = map[string]int64{"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40, "k": 75, "/": 191}

// await waits until htmx has finished with the page and a condition of it holds.
func (w window) await(what, condition string) {
	w.t.Helper()
	settled := `!document.querySelector(".htmx-added, .htmx-settling, .htmx-swapping")`
	script := `new Promise((done) => { const end = performance.now() + 60000; const look = () => ` + settled + ` && (` + condition + `) ? done(true) : performance.now() > end ? done(false) : setTimeout(look, 20); look(); })`
	var ok bool
	var err error
	for end := time.Now().Add(time.Minute); !ok && w.ctx.Err() == nil && time.Now().Before(end); {
		// An error is a page that is just being replaced.
		ok, err = chromedp.Run(w.ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
	}
	if !ok {
		browsertest.Photograph(w.t, w.ctx, "failed")
		w.t.Fatalf("%s: not so: %s (%v) at %s", what, condition, err, browsertest.Situation(w.t, w.ctx))
	}
}

const (
	options = `[...document.querySelectorAll("#search [role=option]")]`
	active  = `document.getElementById(document.querySelector("#search input").getAttribute("aria-activedescendant"))`
	closed  = `!document.getElementById("search").open`
)

// answered says that what is shown answers the whole text, not its beginning
// while it was being typed.
func answered(text string) string {
	return fmt.Sprintf(`new URLSearchParams(location.search).get("search") === %q && `, text)
}

func TestSearchDialogByKeyboard(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	line := &line{Handler: documented(t).Server.Handler()}
	w := openWindow(t, ctx, line)

	w.open("/docs/rcs/1.0", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-theme-toggle]").focus()`))
	w.press("k", control)
	w.await("Ctrl+K opens with places to start", `document.activeElement.matches("#search input[name=q]") && `+options+`.length === 4`)
	w.do(chromedp.KeyEvent("template"))
	w.await("results of the product come", answered("template")+options+`.length > 8 && `+options+`.every((o) => /\/docs\/rcs(\/|$)/.test(o.href) || o.href.includes("/productguide/rcs/") || o.href.includes("/search?"))`)
	w.await("the first is active", active+` === `+options+`[0] && `+active+`.ariaSelected === "true"`)
	w.await("their number is announced where it is heard", `/^\d+ results/.test(document.querySelector("#search [role=status]").textContent)`)
	w.press("ArrowUp", 0)
	w.await("up wraps to the last", active+` === `+options+`.at(-1)`)
	w.press("ArrowDown", 0)
	w.await("and down to the first", active+` === `+options+`[0]`)
	w.press("End", 0)
	w.await("End goes to the last", active+` === `+options+`.at(-1) && `+options+`.filter((o) => o.ariaSelected === "true").length === 1`)
	w.press("Home", 0)
	// An Escape of an input method is its own.
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#search input").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", isComposing: true, bubbles: true, cancelable: true }))`))
	w.await("a composition is cancelled alone", `document.querySelector("#search input").value === "template" && document.getElementById("search").open`)
	w.press("Escape", 0)
	w.await("Escape clears", `document.querySelector("#search input").value === "" && document.getElementById("search").open && `+options+`.length === 4`)
	w.press("Escape", 0)
	w.await("and then closes, with the focus back", closed+` && document.activeElement.matches("[data-theme-toggle]")`)

	w.press("/", 0)
	w.await("a slash opens", `document.getElementById("search").open && document.querySelector("#search input[name=q]").value === ""`)
	w.do(chromedp.KeyEvent("hlr"))
	w.await("nothing in the product offers everything", answered("hlr")+`document.querySelector("[data-does=widen]") !== null && document.querySelector(".search-nothing") !== null`)
	w.press("Enter", 0)
	w.await("and widens", options+`.some((o) => o.href.includes("/docs/sms/"))`)
	w.await("and says so", `document.querySelector("#search-found").textContent.startsWith("Showing results from everywhere") && document.querySelector("#search [role=status]").textContent.startsWith("Showing results from everywhere")`)
	w.await("the address can be shared", `new URLSearchParams(location.search).get("search") === "hlr"`)
	w.do(chromedp.Evaluate[chromedp.Void](`window.open = (url) => { window.opened = url; }`))
	w.press("Enter", control)
	w.await("Ctrl+Enter opens it elsewhere", `window.opened === `+active+`.href && document.getElementById("search").open`)
	w.await("htmx knows the links", idle) // sooner, the browser opens them
	w.press("Enter", 0)
	w.await("Enter opens the result", `location.pathname.includes("/sms/") && document.activeElement.matches("main h1, main :target, main *")`)
	w.press("/", 0)
	w.await("the page before is remembered, and the search", options+`[0]?.pathname === "/docs/rcs/1.0" && `+options+`[1]?.textContent === "hlr" && `+options+`.length === 7`)
	w.await("in this browser alone", `document.cookie === ""`)
	w.press("End", 0)
	w.press("Enter", 0)
	w.await("and forgotten on demand", options+`.length === 4 && localStorage.length === 0`)

	w.open("/docs/rcs/1.0?search=botname", 1440, "light")
	w.await("a shared search opens", options+`.some((o) => o.href.endsWith("#body.botName"))`)
	line.fail(http.StatusInternalServerError)
	w.do(chromedp.KeyEvent("bot"))
	w.await("a failure is shown, with ways out", `document.querySelector(".search-nothing")?.textContent === "Search does not answer." && `+options+`[1].href.includes("/search?q=bot&")`)
	w.await("where it is heard", `document.querySelector("#search [role=status]").textContent === "Search does not answer."`)
	line.fail(http.StatusTooManyRequests)
	w.press("Enter", 0)
	w.await("and so is a limit", `document.querySelector(".search-nothing")?.textContent.startsWith("Too many searches")`)
	line.fail(hangUp)
	w.press("Enter", 0)
	w.await("and again when nothing arrives", `document.querySelector(".search-nothing")?.textContent === "Search does not answer." && `+options+`.length === 2`)
	line.fail(0)
	w.press("Home", 0)
	w.press("Enter", 0)
	w.await("until it answers", options+`.length > 4`)
	w.press("Escape", 0)
	w.press("Escape", 0)
	w.await("a closed search leaves the address", closed+` && location.search === ""`)

	w.open("/search", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("main input").focus()`))
	w.press("/", 0)
	w.await("a slash is typed into a field", `document.querySelector("main input").value === "/" && `+closed)
}

func TestSearchDialogCloses(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())

	w.open("/docs/rcs/1.0", 1440, "light")
	w.press("/", 0)
	w.await("it opens", `document.activeElement.matches("#search input[name=q]")`)
	w.press("Tab", shift)
	w.await("and closes when the focus leaves it", closed+` && !document.activeElement.closest("#search") && document.activeElement !== document.body`)

	w.press("/", 0)
	w.do(chromedp.WaitVisible(chromedp.CSS(".search-keys")), chromedp.Click(chromedp.CSS(".search-keys")))
	w.press("Escape", 0)
	w.await("Escape closes it wherever the focus is", closed)
}

func TestSearchIsAccessible(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	line := &line{Handler: documented(t).Server.Handler()}
	w := openWindow(t, ctx, line)
	for _, width := range []int64{1440, 390} {
		judge := func(what, part string) {
			browsertest.JudgePartWidth(t, ctx, width, part, "search "+what)
		}
		w.open("/search?q=template", width, "light")
		judge("page", ":root")
		w.await("the page is not wider than the screen", `document.documentElement.scrollWidth <= innerWidth`)
		w.open("/search?q=hlr&product=rcs", width, "light")
		judge("empty", ":root")
		w.open("/docs/rcs/1.0", width, "light")
		w.do(chromedp.Click(chromedp.CSS("[data-search]")))
		w.await("the dialog starts", options+`.length === 4`)
		judge("start", "#search")
		w.do(chromedp.KeyEvent("send mesage"))
		w.await("it shows results", answered("send mesage")+`document.querySelector(".search-corrected") !== null && `+options+`.length > 4`)
		judge("dialog", "#search")
		line.fail(http.StatusInternalServerError)
		w.do(chromedp.KeyEvent("s"))
		w.await("it shows a failure", `document.querySelector(".search-nothing") !== null`)
		judge("failure", "#search")
		line.fail(0)
	}
}

// Without script the button is a link to the page, which does everything.
func TestSearchWithoutScript(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	w.do(browsertest.Script(false))
	w.open("/docs/rcs/1.0", 390, "light")
	w.do(chromedp.WaitNotVisible(chromedp.CSS("#search")), chromedp.Click(chromedp.CSS(".search-open")), chromedp.WaitVisible(chromedp.CSS("#q")))
	w.do(chromedp.SendKeys(chromedp.CSS("#q"), "botName\r"), chromedp.WaitVisible(chromedp.CSS(`a.search-hit[href="/docs/rcs/1.0/create-bot#body.botName"]`)))
	w.do(chromedp.Click(chromedp.CSS(`a.search-hit[href="/docs/rcs/1.0/create-bot#body.botName"]`)), chromedp.WaitVisible(chromedp.CSS(`[id="body.botName"]`)))
}
