package portal_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// flash is what is said beside a page that stays as it is.
const flash = `document.querySelector("#flash [role=alert]")?.textContent`

// What goes wrong on the way to a page is said beside the page that is there, and
// slow or repeated requests end at the page that was asked for last.
func TestPagesOverABadLine(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	line := &line{Handler: searchable(t, dbtest.Pool(t), products(t)).Server.Handler()}
	server := httptest.NewServer(line)
	t.Cleanup(server.Close)
	w := window{t, ctx, server.URL}
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
	server := httptest.NewServer(searchable(t, dbtest.Pool(t), products(t)).Server.Handler())
	t.Cleanup(server.Close)
	said := browsertest.Complaints(t, ctx, server.URL)
	w := window{t, ctx, server.URL}
	const page = "/docs/business-messaging/3.0/send-message"
	w.open(page, 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`(window.kept = true, window.main = document.getElementById("main"), document.querySelector("#calls select").selectedIndex = 2, document.querySelector("#calls select").dispatchEvent(new Event("change", {bubbles: true})))`))
	w.follow(`[data-kept=lang] a[href*=python]`)
	w.await("the samples are in Python", `document.querySelector("#calls figcaption span").textContent === "Python" && location.search.includes("lang=python") && document.cookie.includes("lang=python")`)
	w.await("nothing else has changed", `document.getElementById("main") === window.main && `+same)
	w.await("the example is the one that was chosen", `document.querySelector("#calls select")?.selectedIndex === 2 && `+idle)
	w.await("the focus is where it was, and the choice announced", `document.activeElement.textContent === "Python" && document.activeElement.getAttribute("aria-current") === "true" && document.getElementById("live").textContent === "Samples in Python"`)
	browsertest.JudgeThemes(t, ctx, "samples swapped")
	w.follow(`.tab[href="#response-400"]`)
	w.await("the statuses are chosen together", `document.getElementById("example-400").checkVisibility() && location.hash === "#response-400"`)
	shown := `[...document.querySelectorAll("#calls .tab-panel")].find((panel) => panel.checkVisibility())?.dataset`
	w.await("with the request that gets it", shown+`.status === "400" && `+shown+`.with.split(" ").every((id) => document.getElementById(id).checkVisibility()) && document.querySelector("#calls select").value.startsWith("400 · ")`)
	w.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#example-400 option")].find((o) => o.text === "The message type is not supported").selected = true; document.querySelector("#example-400 select").dispatchEvent(new Event("change", { bubbles: true }))`))
	w.await("another error has another request", shown+`.example === "type_unsupported"`)
	w.follow(`.tab[href="#example-500"]`)
	w.await("a failure that no request causes stands beside one that is right", `document.getElementById("example-500").checkVisibility() && !`+shown+`.status`)
	w.follow(`.tab[href="#example-404"]`)
	w.await("an unknown number is asked for", shown+`.example === "number_unknown"`)
	w.follow(`.tab[href="#example-200"]`)
	w.await("a success has a request that succeeds", `document.getElementById("example-200").checkVisibility() && !`+shown+`.status`)
	w.open(page+"?example=template_unknown", 1440, "light")
	w.await("an address names the request of an error", shown+`.example === "template_unknown" && document.getElementById("example-404").checkVisibility()`)
	w.open(page+"?lang=python", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`window.kept = true`))
	w.follow(`.pager-next`)
	w.await("other pages follow", `!location.pathname.endsWith("send-message") && `+same+` && document.querySelector("#calls figcaption span")?.textContent === "Python"`)
	w.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	w.await("back returns to the choice", `location.pathname === "`+page+`" && location.search.includes("lang=python") && document.querySelector("main h1").textContent === "Send a message"`)
	browsertest.JudgeThemes(t, ctx, "page swapped")

	w.open("/search?q=template", 1440, "light")
	w.do(chromedp.Evaluate[chromedp.Void](`(window.kept = true, document.getElementById("q").focus(), document.getElementById("q").select())`), chromedp.KeyEvent("hlr"))
	w.await("the page of results follows what is typed", `location.search.includes("q=hlr") && `+same+` && document.activeElement.id === "q" && document.querySelector("#list .search-hit").href.includes("/docs/sms/") && document.title.startsWith("Search for hlr") && `+idle)
	w.follow(`[id="filter-Kind-Endpoints"]`)
	w.await("a filter changes the results alone", `location.search.includes("kind=endpoint") && `+same+` && document.activeElement.id === "filter-Kind-Endpoints"`)
	w.do(chromedp.Evaluate[chromedp.Void](`(document.getElementById("q").focus(), document.getElementById("q").select())`), chromedp.KeyEvent("template"))
	w.await("and stays with another query", `location.search.includes("q=template") && location.search.includes("kind=endpoint")`)
	browsertest.JudgeThemes(t, ctx, "results swapped")
	for _, s := range said() {
		t.Errorf("the browser says: %s", s)
	}
}
