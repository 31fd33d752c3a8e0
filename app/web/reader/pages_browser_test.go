//go:build browser

package reader_test

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// flash is what is said beside a page that stays as it is.
const flash = `document.querySelector("#flash [role=alert]")?.textContent`

// What goes wrong on the way to a page is said beside the page that is there, and
// slow or repeated requests end at the page that was asked for last.
func TestPagesOverABadLine(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	line := &line{Handler: documented(t).Server.Handler()}
	w := openWindow(t, ctx, line)
	const (
		first  = "/docs/business-messaging/3.0/list-products"
		second = "/docs/business-messaging/3.0/get-catalogue-id"
		third  = "/docs/business-messaging/3.0/send-message"
	)
	at := func(path, heading string) string {
		return `location.pathname === "` + path + `" && ` + same + ` && document.querySelector("main h1").textContent === "` + heading + `" && !document.querySelector("main[aria-busy]")`
	}
	click := func(path string) {
		w.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.nav a[href="` + path + `"]').click()`))
	}
	w.open(first, 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`window.kept = true`))
	line.fail(hangUp)
	click(second)
	w.await("a server that does not answer is named", flash+`?.startsWith("The server does not answer")`)
	w.await("the page stays", at(first, "List products"))
	browsertest.JudgeThemes(t, ctx, "pages offline")
	for _, status := range []int{http.StatusTooManyRequests, http.StatusInternalServerError} {
		line.fail(status)
		click(second)
		w.await("an error is shown in place", flash+` === "`+http.StatusText(status)+`"`)
		w.await("the page stays", at(first, "List products"))
	}
	line.fail(0)
	click(second)
	w.await("then it answers, and the error is gone", at(second, "Get the catalogue id")+` && !`+flash)

	line.slow.Store(true)
	before := browsertest.Evaluate[int](t, ctx, `history.length`)
	click(first)
	w.await("a slow answer shows progress", `document.querySelector("main[aria-busy]") !== null`)
	click(third)
	click(third)
	w.await("the last link wins, whole", at(third, "Send a message")+` && document.querySelectorAll("main").length === 1 && document.querySelector(".site-footer")`)
	if after := browsertest.Evaluate[int](t, ctx, `history.length`); after != before+1 {
		t.Errorf("three clicks made %d entries of the history", after-before)
	}
	line.slow.Store(false)

	line.fail(hangUp)
	w.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	w.await("going back without a line says so", `location.pathname === "`+second+`" && `+flash+`?.startsWith("The server does not answer")`)
	line.fail(0)
	w.do(chromedp.Evaluate[chromedp.Void](`dispatchEvent(new Event("online"))`))
	w.await("and goes on when there is one", at(second, "Get the catalogue id"))
}

// The parts of a page that readers choose take each other's place, by keyboard and
// by ear too.
func TestSamplesAreSwapped(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	w := openWindow(t, ctx, documented(t).Server.Handler())
	said := browsertest.Complaints(t, ctx, w.origin)
	const page = "/docs/business-messaging/3.0/send-message"
	w.open(page, 1440, "light")
	pick := func(list, value string) {
		w.do(chromedp.Evaluate[chromedp.Void](`(() => { const list = document.getElementById("choose-` + list + `"); list.focus(); [...list.options].find((o) => o.value === "` + value + `" || o.text === "` + value + `").selected = true; list.dispatchEvent(new Event("change", { bubbles: true })); })()`))
	}
	shows := func(example, status string) string {
		return `document.getElementById("choose-example").value === "` + example + `" && document.querySelector("#answer [aria-current]").textContent === "` + status + `" && document.getElementById("response-` + status + `").parentElement.open && document.getElementById("samples").dataset.open.split(" ").every((id) => document.getElementById(id).parentElement.open) && ` + idle
	}
	opened := func(id string) string { return `document.getElementById("` + id + `").parentElement.open` }
	w.do(chromedp.Evaluate[chromedp.Void](`(window.kept = true, window.main = document.getElementById("main"))`))
	pick("example", "image_link")
	w.await("an example opens what it has in the reference", shows("image_link", "200")+` && location.search === "?example=image_link" && document.activeElement.id === "choose-example" && `+opened("body:image"))
	w.follow(`[data-kept=lang] a[href*=python]`)
	w.await("the samples are in Python", `document.querySelector("#calls figcaption span").textContent === "Python" && location.search.includes("lang=python") && document.cookie.includes("lang=python")`)
	w.await("nothing else has changed", `document.getElementById("main") === window.main && `+same)
	w.await("the example is the one that was chosen", shows("image_link", "200"))
	w.await("the focus is where it was, and the choice announced", `document.activeElement.textContent === "Python" && document.activeElement.getAttribute("aria-current") === "true" && document.getElementById("live").textContent === "Samples in Python"`)
	browsertest.JudgePart(t, ctx, "#samples", "samples swapped")
	w.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("response-400").parentElement.firstElementChild.click()`))
	w.await("the statuses are chosen together, with the request that gets it", shows("messaging_product_wrong", "400")+` && location.search.includes("status=400")`)
	pick("status", "The message type is not supported")
	w.await("another error has another request", shows("type_unsupported", "400")+` && document.querySelector("#answer pre").textContent.includes("type")`)
	w.follow(`#answer .tab[href*="status=500"]`)
	w.await("a failure that no request causes stands beside one that is right", shows("template", "500"))
	w.follow(`#answer .tab[href*="status=404"]`)
	w.await("an unknown number is asked for", shows("number_unknown", "404"))
	w.follow(`#answer .tab[href*="status=200"]`)
	w.await("a success has a request that succeeds", shows("template", "200"))
	w.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("body:video").parentElement.firstElementChild.click()`))
	w.await("a variant of the body has its example", shows("video_link", "200"))
	w.do(chromedp.Evaluate[chromedp.Void](`(() => { location.hash = "response-404.error"; })()`))
	w.await("so has an anchor", shows("number_unknown", "404")+` && location.hash === "#response-404.error"`)
	w.open(page+"?example=template_unknown", 1440, "light")
	w.await("an address names the request of an error", shows("template_unknown", "404"))
	w.open(page+"?field=body:audio.audio", 1440, "light")
	w.await("the address of a field does", shows("audio_link", "200")+` && `+opened("body:audio"))
	w.open(page, 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`htmx.ajax("GET", location.pathname, { source: "#main", target: "#main", swap: "outerHTML" })`))
	w.await("tabs stay open in a page that takes the place of itself", `document.querySelectorAll(".tabs:not(:has(> details[open]))").length === 0 && `+idle)
	w.open(page+"?lang=python", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`window.kept = true`))
	w.follow(`.pager-next`)
	w.await("other pages follow", `!location.pathname.endsWith("send-message") && `+same+` && document.querySelector("#calls figcaption span")?.textContent === "Python"`)
	w.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	w.await("back returns to the choice", `location.pathname === "`+page+`" && location.search.includes("lang=python") && document.querySelector("main h1").textContent === "Send a message"`)
	browsertest.JudgeThemes(t, ctx, "page swapped")

	w.open("/search?q=template", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`(window.kept = true, document.getElementById("q").focus(), document.getElementById("q").select())`), chromedp.KeyEvent("hlr"))
	w.await("the page of results follows what is typed", `location.search.includes("q=hlr") && `+same+` && document.activeElement.id === "q" && document.querySelector("#list .search-hit").href.includes("/sms/") && document.title.startsWith("Search for hlr") && `+idle)
	w.follow(`[id="filter-Kind-Endpoints"]`)
	w.await("a filter changes the results alone", `location.search.includes("kind=endpoint") && `+same+` && document.activeElement.id === "filter-Kind-Endpoints"`)
	w.do(chromedp.Evaluate[chromedp.Void](`(document.getElementById("q").focus(), document.getElementById("q").select())`), chromedp.KeyEvent("template"))
	w.await("and stays with another query", `location.search.includes("q=template") && location.search.includes("kind=endpoint")`)
	browsertest.JudgeThemes(t, ctx, "results swapped")
	for _, s := range said() {
		t.Errorf("the browser says: %s", s)
	}
}
