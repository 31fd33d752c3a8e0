//go:build browser

package admin_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// By keyboard, the calendar goes to another month and shows it as a list. Its address
// follows, and the page keeps its place. A list keeps its filter under a name.
func TestCalendarByKeyboard(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Later."))
	at := time.Now().UTC().Add(48 * time.Hour)
	p.ok(p.ada, p.schedule(p.set(), at))
	exec(t, p.Site, `insert into change_sets (product_id, summary, author_id, state, blocked_reason) select i.id, 'Colours', u.id, 'blocked', 'The page is gone.' from items i, admin_users u where i.kind = 'product' and u.name = 'ben'`)
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	ada := p.writing(server.URL, "ada")
	first := time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	month := func(months int) string { return first.AddDate(0, months, 0).Format("2006-01") }
	link := func(address string) string { return `.calendar-head a[href="` + address + `"]` }

	ada.do(chromedp.Navigate(server.URL + "/admin/calendar?month=" + month(0)))
	ada.await("the month", `document.querySelector(".calendar-month") && document.querySelector(".concerns .bad")`)
	ada.await("the release", `document.querySelector("time[datetime='`+at.Format("2006-01-02")+`']").closest("td").textContent.includes("Scheduled")`)
	ada.audit("month")
	browsertest.Tab(t, ada.ctx, link("/admin/calendar?month="+month(1)))
	ada.do(chromedp.KeyEvent("\r"))
	ada.await("the later month", `document.querySelector("#month").textContent === "`+first.AddDate(0, 1, 0).Format("January 2006")+`" && location.search === "?month=`+month(1)+`"`)
	browsertest.Tab(t, ada.ctx, link("/admin/calendar?month="+month(1)+"&view=list"))
	ada.do(chromedp.KeyEvent("\r"))
	ada.await("the list", `!document.querySelector(".calendar-month") && location.search.endsWith("&view=list")`)
	browsertest.Tab(t, ada.ctx, link("/admin/calendar?month="+month(0)+"&view=list"))
	ada.do(chromedp.KeyEvent("\r"))
	ada.await("the list of the month", `document.querySelector(".calendar-days")?.textContent.includes("Change or cancel")`)
	ada.audit("list")

	ada.do(chromedp.Navigate(server.URL + "/admin/drafts_and_reviews?state=scheduled"))
	browsertest.Tab(t, ada.ctx, `.list-head a[href^="/admin/filters/new"]`)
	ada.do(chromedp.KeyEvent("\r"))
	ada.await("the form", `document.querySelector("#form-filter")`)
	browsertest.Tab(t, ada.ctx, "#field-name")
	ada.do(chromedp.KeyEvent("Soon\r"))
	ada.await("the saved filter", `document.querySelector(".saved-filters [aria-current]")?.textContent === "Soon" && location.search.includes("state=scheduled")`)
	ada.audit("saved")
	ada.do(chromedp.Navigate(server.URL + "/admin/filters"))
	ada.await("the filters", `document.querySelector(".filter-row")`)
	ada.audit("filters")
}
