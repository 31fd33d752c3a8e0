package logs

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/relay"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	view "heliograph/views/channels/logs"
)

// DeliveryPath is the page of a callback.
func DeliveryPath(id int64) string {
	return page.AccountDeliveriesPath + "/" + strconv.FormatInt(id, 10)
}

// decimal writes tenths.
func decimal(tenths int) string { return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) }

// Failure returns the cause of a failed attempt with its remedy.
func Failure(status int, problem string) *view.Cause {
	return &view.Cause{Title: problem, Remedy: relay.Advice(status, problem)}
}

// rejectFilter shows a log with what is wrong with its filter.
func rejectFilter(c echo.Context, l listing.List, p view.LogPage, err error) error {
	return page.Again(c, err, func(status int, problems *page.Problems) error {
		l.Prepare(&p.List)
		p.List.Reject(problems.Fields)
		return page.Render(c, status, page.View{Frame: p.Page, Body: view.LogView(p), Region: listing.Rejected(c)})
	})
}
