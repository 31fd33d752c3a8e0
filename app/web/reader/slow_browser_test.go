//go:build browser

package reader_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// A page that arrives in pieces moves nothing that was seen, and one that takes
// its place is swapped in whole.
func TestPagesInPieces(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	line := &line{Handler: documented(t).Server.Handler()}
	line.slow.Store(true)
	line.pages.Store(true)
	w := openWindow(t, ctx, line)
	const path = "/docs/business-messaging/3.0/send-message"
	w.open(path, 1440, "light")
	moved := browsertest.Evaluate[[]string](t, ctx, `new Promise((done) => {
		const moved = [];
		new PerformanceObserver((list) => list.getEntries().forEach((e) => { if (e.value > 0.0005) moved.push(e.value + " " + e.sources.map((s) => s.node?.outerHTML?.slice(0, 80) ?? "text")); })).observe({type: "layout-shift", buffered: true});
		setTimeout(() => done(moved), 300);
	})`)
	if len(moved) > 0 {
		t.Errorf("the page shifts: %q", moved)
	}
	w.do(chromedp.Evaluate[chromedp.Void](`(window.kept = true, window.seen = new Set(), new MutationObserver(() => window.seen.add(document.querySelectorAll("main .site-footer, main main").length + " " + (document.querySelector("main .pager") !== null))).observe(document.querySelector(".with-nav"), {childList: true}))`))
	w.follow(`.pager-next`)
	w.await("the next page is whole", `location.pathname !== "`+path+`" && `+same+` && !document.querySelector("main[aria-busy]")`)
	w.await("and was never seen in part", `[...window.seen].join() === "0 true"`)
}
