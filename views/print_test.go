//go:build browser

package views_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// On paper a heading stays with what follows it, and nothing is there to press.
func TestPaperKeepsHeadings(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	if err := chromedp.Do(ctx, browsertest.Call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"endpoint", "callback", "schema", "version", "guide"} {
		open(t, ctx, server.URL+"/"+name, 800)
		alone := browsertest.Evaluate[string](t, ctx, `[...document.querySelectorAll("main :is(h1, h2, h3, h4, .field-head, .response-title, .content-type, dt, figcaption)")].filter((e) => {
			if (!e.checkVisibility()) return false;
			for (let part = e; !part.matches("main"); part = part.parentElement) {
				if (getComputedStyle(part.parentElement).display === "flex") continue; // what follows stands beside it
				if (getComputedStyle(part).breakAfter === "avoid") return false;
				if ([...part.parentElement.children].slice([...part.parentElement.children].indexOf(part) + 1).some((next) => next.checkVisibility())) return true;
			}
			return false;
		}).map((e) => e.outerHTML.slice(0, 80)).join("\n")`)
		if alone != "" {
			t.Errorf("a page of paper can end after these in %s:\n%s", name, alone)
		}
		if shown := browsertest.Evaluate[string](t, ctx, `[...document.querySelectorAll("button, select, input, nav")].filter((e) => e.checkVisibility() && !e.matches(".choose *")).map((e) => e.outerHTML.slice(0, 80)).join("\n")`); shown != "" {
			t.Errorf("%s prints what is there to press:\n%s", name, shown)
		}
	}
}
