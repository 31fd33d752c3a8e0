//go:build browser

package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/db"
	"heliograph/views/browsertest"
)

// large publishes two servers to choose from and a deep schema.
func large(t *testing.T, b db.Beginner) {
	t.Helper()
	for slug, document := range map[string]string{"mirrors": contract(t, "two.yaml"), "deep": nested(22, 120)} {
		parsed, err := openapi.Read([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		set, err := editorial.Draft(t.Context(), b, editorial.System, editorial.Import{ProductSlug: slug, Product: content.Product{Name: slug, Summary: "Of the test."},
			VersionSlug: "2.0", Version: content.Version{Label: "Current"}, Document: parsed})
		if err != nil {
			t.Fatal(err)
		}
		if err := editorial.Publish(t.Context(), b, editorial.System, set, true); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReferenceByKeyboard(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, searchable(t, documentation(t), func(b db.Beginner) { large(t, b) }).Server.Handler())
	focus := func(selector string) {
		w.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector(%q).focus()`, selector)))
	}
	visible := func(id string) string { return fmt.Sprintf(`document.getElementById(%q)?.checkVisibility()`, id) }

	deep := "body.deeper.deeper.deeper.deeper.deeper.deeper.deeper.deeper.deeper.deeper"
	w.open("/docs/deep/2.0/dig#"+deep+".field7", 1440, "light")
	w.await("an address fetches the branches around it", visible(deep+".field7"))
	w.await("and nothing is said to be gone", `!document.querySelector(".lost")`)
	w.open("/docs/deep/2.0/dig#"+deep+".gone", 1440, "light")
	w.await("a field that is gone leads to its parent in a branch", `document.querySelector(".lost a")?.hash === "#`+deep+`" && `+visible(deep)+` && document.getElementById("live").textContent.includes("is not part of this endpoint")`)
	w.open("/docs/deep/2.0/dig#body.gone", 1440, "light")
	w.await("or to the heading of its part", `document.querySelector(".lost a")?.hash === "#body" && document.querySelector(".lost").getBoundingClientRect().top >= 0`)
	w.open("/docs/deep/2.0/dig", 1440, "light")
	focus("[data-expand]")
	w.press("Enter", 0)
	w.await("every row unfolds", `document.querySelector("[data-branch]").checkVisibility()`)
	focus("[data-branch]")
	w.press("Enter", 0)
	w.await("a branch opens by keyboard", visible("body.deeper.deeper.deeper.deeper.deeper"))

	w.open("/docs/mirrors/2.0/get-mirror#response-200.shape:round.frame:wood.tree", 1440, "light")
	w.await("an address picks the variants around it", visible("response-200.shape:round.frame:wood.tree")+` && !`+visible("response-200.shape:round.frame:brass.alloy"))
	focus("[data-kept=server] a:last-child")
	w.press("Enter", 0)
	w.await("a server is chosen", `document.querySelector(".request-line .server").textContent === "https://mirrors.example.com" && document.querySelector("#calls pre").textContent.includes("https://mirrors.example.com/")`)
	w.await("kept, in the address and in the links to languages", `document.cookie.includes("server=elsewhere") && location.search.includes("server=elsewhere") && document.querySelector("[data-kept=lang] a:last-child").search === "?lang=go&server=elsewhere"`)
	w.open("/docs/mirrors/2.0/put-mirror", 1440, "light")
	w.await("other pages follow", `document.querySelector(".request-line .server").textContent === "https://mirrors.example.com"`)

	shown := `[...document.querySelectorAll(".nav details li")].filter((l) => l.checkVisibility())`
	focus("#nav-filter")
	w.do(chromedp.KeyEvent("get MIRROR"))
	w.await("the filter narrows the navigation by method, path and name", shown+`.length === 1 && `+shown+`[0].querySelector("b").className === "GET"`)
	w.await("says how many are left", `document.getElementById("live").textContent === "1 endpoint"`)
	w.await("keeps the focus and the address", `document.activeElement.id === "nav-filter" && !location.search.includes("filter")`)
	w.do(chromedp.KeyEvent("qqq"))
	w.await("says when nothing is left", `document.querySelector(".nav-none")?.checkVisibility() && document.getElementById("live").textContent === "Nothing matches."`)
	w.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("nav-filter").select()`))
	w.do(chromedp.KeyEvent("\b"))
	w.await("without a filter everything is back", shown+`.length > 1 && !document.querySelector(".nav-none")`)
	w.do(chromedp.Evaluate[chromedp.Void](`addEventListener("error", () => { window.broken = true; })`))
	w.link("/docs/mirrors/2.0?filter=get+mirror")
	w.await("a page whose address filters the navigation comes by fragment too", shown+`.length === 1 && document.querySelector("h1").textContent === "mirrors 2.0" && !window.broken`)

	w.open("/docs/mirrors/2.0/get-mirror", 1440, "light")
	w.await("readers do not see the console while it is hidden", `document.getElementById("console").hidden && !document.getElementById("console").checkVisibility()`)
	focus("[data-copy-from]")
	w.press("Enter", 0)
	w.await("the page is copied as Markdown", `document.getElementById("live").textContent === "Copied to the clipboard"`)
	w.await("and the button is itself again", `document.querySelector("[data-copy-from]").textContent === "Copy page"`)
}

func TestReferenceIsAccessible(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, searchable(t, documentation(t), func(b db.Beginner) { large(t, b) }).Server.Handler())
	for name, path := range map[string]string{
		"endpoint": "/docs/business-messaging/3.0/send-message#response-400",
		"field":    "/docs/rcs/1.0/send-message#body.gone",
		"lost":     "/docs/mirrors/2.0/get-mirror?field=response-200.gone",
		"schema":   "/docs/business-messaging/3.0/schemas/ButtonsComponent",
		"version":  "/docs/business-messaging/3.0#schemas",
	} {
		w.open(path, 1440, "light")
		for _, width := range []int64{1440, 390} {
			w.do(chromedp.EmulateViewport(width, 900), browsertest.Prefer("light"))
			w.await("the page is not wider than the screen", `document.readyState === "complete" && document.documentElement.scrollWidth <= innerWidth`)
			browsertest.JudgeWidth(t, ctx, width, "reference "+name)
		}
	}
	w.open("/docs/business-messaging/3.0/send-message", 1440, "light")
	for width, column := range map[int64]int{1280: 384, 2200: 600} {
		w.do(chromedp.EmulateViewport(width, 900))
		w.await("the sample's column grows with the screen, up to 600 pixels", fmt.Sprintf(`Math.round(document.querySelector(".samples").getBoundingClientRect().width) === %d`, column))
	}
	w.await("JSON has its colours inside a shell command", `document.querySelector("#calls pre i.k")?.textContent === '"messaging_product"'`)
	// A wide screen, enlarged twice. TestPagesFitSmallScreens has the least.
	for _, path := range []string{"/docs/business-messaging/3.0/send-message", "/docs/business-messaging/3.0", "/docs/business-messaging", "/"} {
		w.open(path, 720, "light")
		w.await("enlarged, the page is not wider than the screen", `document.readyState === "complete" && document.documentElement.scrollWidth <= innerWidth`)
	}
}
