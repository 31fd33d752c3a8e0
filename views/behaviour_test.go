//go:build browser

package views_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// open loads a page of the preview server in a window of the given width.
func open(t *testing.T, ctx context.Context, url string, width int64) {
	t.Helper()
	// A new fragment alone would not load the page again.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(url)); err != nil {
		t.Fatalf("opening %s: %v", url, err)
	}
}

func expect(t *testing.T, ctx context.Context, what, script string) {
	t.Helper()
	if !browsertest.Evaluate[bool](t, ctx, script) {
		t.Errorf("%s: not so: %s", what, script)
	}
}

func TestScripts(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	endpoint := server.URL + "/endpoint"

	open(t, ctx, endpoint+"#body.template.components.button.index", 1440)
	expect(t, ctx, "an address picks the variant", `document.getElementById("body.template.components.button").parentElement.open`)
	expect(t, ctx, "and shows the field", `document.getElementById("body.template.components.button.index").checkVisibility()`)

	open(t, ctx, endpoint+"#response-200.contacts.wa_id", 1440)
	expect(t, ctx, "and its response is chosen", `document.getElementById("response-200").parentElement.open`)

	expect(t, ctx, "beside the text, one column scrolls, within the window", `(() => { const column = document.querySelector(".samples"); const scrolls = (e) => e.scrollHeight > e.clientHeight && getComputedStyle(e).overflowY === "auto"; return scrolls(column) && column.getBoundingClientRect().bottom <= innerHeight && ![...column.querySelectorAll("*")].some(scrolls); })()`)
	expect(t, ctx, "and no code is wider than it", `[...document.querySelectorAll(".samples pre")].filter((p) => p.checkVisibility()).every((p) => p.scrollWidth <= p.clientWidth)`)
	expect(t, ctx, "the tabs are a row above what is open", `(() => { const [first, second, ...rest] = document.querySelectorAll("[aria-labelledby=responses] > .tabs > details > summary"); const top = (e) => e.getBoundingClientRect().top; return rest.every((tab) => top(tab) === top(first)) && document.getElementById("response-200").getBoundingClientRect().top >= second.getBoundingClientRect().bottom; })()`)
	expect(t, ctx, "the languages are one tab stop", `document.querySelectorAll('[data-kept=lang] a[tabindex="0"]').length === 1`)
	expect(t, ctx, "with arrow keys between them", `(() => { const [first, second] = document.querySelectorAll("[data-kept=lang] a"); const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); first.focus(); press("ArrowRight"); const there = document.activeElement === second; press("ArrowLeft"); return there && document.activeElement === first; })()`)
	expect(t, ctx, "the row of sections stays below the header and marks the section that is read", `new Promise((done) => { document.querySelector('.on-page a[href="#responses"]').click(); const look = () => document.querySelector(".on-page :target-current")?.hash === "#responses" && document.querySelector(".on-page").getBoundingClientRect().top === document.querySelector(".site-header").getBoundingClientRect().bottom ? done(true) : requestAnimationFrame(look); look(); setTimeout(() => done(false), 20000); })`)
	open(t, ctx, endpoint, 700)
	expect(t, ctx, "the row follows the section that is read", `new Promise((done) => { const row = document.querySelector(".on-page"); row.style.width = "20rem"; scrollTo(0, document.body.scrollHeight); const look = () => row.scrollLeft > 0 ? done(true) : requestAnimationFrame(look); look(); setTimeout(() => done(false), 20000); })`)
	open(t, ctx, endpoint, 1920)
	expect(t, ctx, "the column of samples grows to 600 px", `document.querySelector(".samples").offsetWidth === 600`)
	open(t, ctx, endpoint+"?status=400", 1000)
	expect(t, ctx, "long code is folded until all of it is asked for", `(() => { const box = document.querySelector("#calls .unfold input"); const pre = box.closest("figure").querySelector("pre"); const before = pre.clientHeight; box.click(); const after = pre.clientHeight; box.click(); return after > before && pre.clientHeight === before; })()`)
	open(t, ctx, endpoint, 1440)
	expect(t, ctx, "one sample and one example show", `[...document.querySelectorAll(".samples pre")].filter((p) => p.checkVisibility()).length === 2`)
	expect(t, ctx, "a tab is chosen by click, and another one closes", `(() => { const [ok, bad] = document.querySelectorAll("[aria-labelledby=responses] > .tabs > details"); bad.firstElementChild.click(); return bad.open && !ok.open && document.getElementById("response-400").checkVisibility(); })()`)
	open(t, ctx, endpoint, 1440)
	expect(t, ctx, "expand all opens the body", afterClick("[aria-labelledby=body] [data-expand]", `[...document.querySelectorAll("[aria-labelledby=body] details:not([name])")].every((d) => d.open) && [...document.querySelectorAll("[aria-labelledby=body] details[name]")].some((d) => !d.open)`))
	expect(t, ctx, "the menu opens", `(() => { const button = document.querySelector("[popovertarget=products-menu]"); button.focus(); button.click(); return document.querySelector("#products-menu:popover-open a").checkVisibility(); })()`)
	if err := chromedp.Do(ctx, chromedp.KeyEvent("\x1b")); err != nil {
		t.Fatal(err)
	}
	expect(t, ctx, "and closes on Escape", `!document.querySelector("#products-menu:popover-open") && document.activeElement.matches("[popovertarget=products-menu]")`)
	expect(t, ctx, "copying is said aloud", `new Promise((done) => { document.querySelector(".samples [data-copy]").click(); new MutationObserver(() => done(true)).observe(document.getElementById("live"), {childList: true}); })`)

	if err := chromedp.Do(ctx, browsertest.Prefer("light")); err != nil {
		t.Fatal(err)
	}
	open(t, ctx, endpoint, 1440)
	background := `getComputedStyle(document.documentElement).backgroundColor`
	light := browsertest.Evaluate[string](t, ctx, background)
	dark := browsertest.Evaluate[string](t, ctx, afterClick("[data-theme-toggle]", background))
	open(t, ctx, endpoint, 1440)
	if kept := browsertest.Evaluate[string](t, ctx, background); light == dark || kept != dark {
		t.Errorf("the theme went from %s to %s and was %s after loading again", light, dark, kept)
	}
	expect(t, ctx, "choosing the system's theme forgets the choice", afterClick("[data-theme-toggle]", `!document.cookie.includes("theme")`))
}

// afterClick is a script that presses an element and gives a value when the press has
// been painted and has had its effect.
func afterClick(selector, value string) string {
	return fmt.Sprintf(`new Promise((done) => { document.querySelector(%q).click(); setTimeout(() => done(%s), 500); })`, selector, value)
}

// On a narrow screen the call stands under the request line, and a select leads to
// the sections.
func TestNarrowEndpoint(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	open(t, ctx, server.URL+"/endpoint", 1024)
	expect(t, ctx, "the call follows the request line", `(() => { const line = document.querySelector(".request-line").getBoundingClientRect(); const call = document.querySelector(".samples").getBoundingClientRect(); return call.top > line.bottom && call.top - line.bottom < 80; })()`)
	for _, width := range []int64{1440, 1100, 1024, 900, 820, 700, 640, 390, 320} {
		for _, name := range []string{"home-linked", "endpoint-linked", "endpoint"} {
			open(t, ctx, server.URL+"/"+name, width)
			expect(t, ctx, fmt.Sprintf("no parts of the header of %s overlap or leave the screen at %d pixels", name, width), `(() => {
				const parts = [...document.querySelectorAll(".site-header :is(a, button)")].filter((e) => e.checkVisibility() && !e.closest("[popover]"));
				const boxes = parts.map((e) => e.getBoundingClientRect()).filter((box) => box.width > 0);
				return boxes.length > 4 && boxes.every((a, i) => a.right <= innerWidth && a.bottom <= 56 && boxes.slice(i + 1).every((b) => a.right <= b.left + 1 || b.right <= a.left + 1));
			})()`)
			expect(t, ctx, fmt.Sprintf("each link of the header of %s stands beside the menu or in it at %d pixels", name, width), `(() => {
				const beside = document.querySelector(".site-links").checkVisibility(), inside = [...document.querySelectorAll("#products-menu .place")];
				return inside.length > 0 && inside.every((e) => (getComputedStyle(e).display === "none") === beside);
			})()`)
		}
		for _, selector := range []string{".request-line code", "#calls pre .s"} {
			if broken := browsertest.Evaluate[string](t, ctx, brokenWords(selector)); broken != "" {
				t.Errorf("at %d pixels %s breaks within %s", width, selector, broken)
			}
		}
	}
	open(t, ctx, server.URL+"/guide", 320)
	expect(t, ctx, "the menu has room for its name", `(() => { const name = document.querySelector(".site-header .menu button > span"); name.textContent = "Products"; return document.querySelector(".nav-button").checkVisibility() && name.scrollWidth <= name.clientWidth; })()`)
	open(t, ctx, server.URL+"/endpoint", 390)
	expect(t, ctx, "a select leads to the sections", `(() => { const list = document.querySelector(".on-page select"); list.value = "#responses"; list.dispatchEvent(new Event("change", {bubbles: true})); return list.checkVisibility() && !document.querySelector(".on-page a").checkVisibility() && location.hash === "#responses"; })()`)
}

// brokenWords is a script that lists the words of addresses that a line breaks within,
// rather than after a slash or an underscore.
func brokenWords(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => e.textContent.includes("/")).flatMap((e) => {
		const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
		let before, at;
		while (walker.nextNode()) for (let i = 0; i < walker.currentNode.length; i++) {
			range.setStart(walker.currentNode, i);
			range.setEnd(walker.currentNode, i + 1);
			const { top } = range.getBoundingClientRect(), letter = walker.currentNode.data[i];
			if (at !== undefined && top > at + 4 && /[a-z]/i.test(before) && /[a-z]/i.test(letter)) found.push(walker.currentNode.data);
			[before, at] = [letter, top];
		}
		return found;
	}).join(" ")`, selector)
}

func TestDrawer(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	open(t, ctx, server.URL+"/endpoint", 390)
	expect(t, ctx, "closed at first", `!document.getElementById("nav").checkVisibility()`)
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".nav-button")), chromedp.WaitVisible(chromedp.CSS(".nav-close"))); err != nil {
		t.Fatal(err)
	}
	expect(t, ctx, "open, with the page inert behind it", `new Promise((done) => { const look = () => document.querySelector("main").inert && document.activeElement.matches(".nav-close") ? done(true) : requestAnimationFrame(look); look(); })`)
	browsertest.Photograph(t, ctx, "drawer light 390")
	if err := chromedp.Do(ctx, chromedp.KeyEvent("\x1b"), chromedp.WaitNotVisible(chromedp.CSS("#nav"))); err != nil {
		t.Fatal(err)
	}
	expect(t, ctx, "the page is free again and the focus is back", `new Promise((done) => { const look = () => !document.querySelector("main").inert && document.activeElement.matches(".nav-button") ? done(true) : requestAnimationFrame(look); look(); })`)
}

// Without script everything is there: tabs, choices, every link, the drawer.
func TestWithoutScript(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	open(t, ctx, server.URL+"/endpoint", 390)
	browsertest.Photograph(t, ctx, "plain light 390")
	for _, selector := range []string{"#calls pre", "#answer pre", ".choose button", `[id="body.json"]`, ".tabs summary", ".tab-list a"} {
		if err := chromedp.Do(ctx, chromedp.WaitVisible(chromedp.CSS(selector))); err != nil {
			t.Errorf("%s does not show: %v", selector, err)
		}
	}
	for _, selector := range []string{"[data-theme-toggle]", "[data-copy]", "[data-expand]"} {
		if err := chromedp.Do(ctx, chromedp.WaitNotVisible(chromedp.CSS(selector))); err != nil {
			t.Errorf("%s shows, and does nothing: %v", selector, err)
		}
	}
	python := `a[href="?lang=python"]`
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(python)), chromedp.WaitVisible(chromedp.CSS(python+"[aria-current]"))); err != nil {
		t.Errorf("the language is not followed: %v", err)
	}
	form := `.tabs > details:nth-child(2) > summary`
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(form)), chromedp.WaitVisible(chromedp.CSS(`[id="body.form"]`))); err != nil {
		t.Errorf("another content type is not shown: %v", err)
	}
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(`a[href="?status=400"]`)), chromedp.WaitVisible(chromedp.CSS(`a[href="?status=400"][aria-current]`))); err != nil {
		t.Errorf("the status is not followed: %v", err)
	}
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".nav-button")), chromedp.WaitVisible(chromedp.CSS("#nav details a[aria-current]"))); err != nil {
		t.Errorf("the drawer does not open: %v", err)
	}
}

// trickle serves what another handler does, its pages in pieces, as a slow line
// brings them. A piece also ends before a time, in the middle of its line.
func trickle(t *testing.T, pages http.Handler) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := httptest.NewRecorder()
		pages.ServeHTTP(whole, r)
		maps.Copy(w.Header(), whole.Header())
		size := 1 + whole.Body.Len()/60
		for rest := whole.Body.Bytes(); len(rest) > 0; {
			piece := rest[:min(size, len(rest))]
			if i := bytes.Index(piece[1:], []byte("<time")); i >= 0 {
				piece = piece[:i+1]
			}
			_, _ = w.Write(piece)
			rest = rest[len(piece):]
			if strings.HasPrefix(whole.Header().Get("Content-Type"), "text/html") {
				_ = http.NewResponseController(w).Flush()
				time.Sleep(20 * time.Millisecond)
			}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Nothing that can be seen to may move once it was painted, however the page
// arrives: the sum stays under a hundredth of what counts as good.
func TestNothingShifts(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	slow := trickle(t, server.Config.Handler)
	for _, name := range []string{"home", "endpoint", "version"} {
		for _, width := range []int64{1440, 390} {
			open(t, ctx, slow+"/"+name, width)
			type shifts struct {
				Sum float64
				Of  []string
			}
			moved := browsertest.Evaluate[shifts](t, ctx, `new Promise((done) => {
				const moved = {sum: 0, of: []};
				new PerformanceObserver((list) => { for (const e of list.getEntries()) { moved.sum += e.value; moved.of.push(...e.sources.map((s) => s.node?.outerHTML?.slice(0, 80) ?? "text")); } }).observe({type: "layout-shift", buffered: true});
				requestAnimationFrame(() => requestAnimationFrame(() => done(moved)));
			})`)
			if moved.Sum >= 0.001 {
				t.Errorf("%s at %d shifts by %.4f: %q", name, width, moved.Sum, moved.Of)
			}
		}
	}
}
