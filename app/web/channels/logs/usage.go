package logs

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/logs"
	"heliograph/views/ui"
)

// usageSpan is the number of days that are shown, including today.
const usageSpan = 30

// Usage shows the messages of the organisation in the last days.
func (h *Handlers) Usage(c echo.Context) error {
	first := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-usageSpan)
	usage, until, err := queries.UsageList(c.Request().Context(), h.DB, page.User(c).OrganisationID, first)
	if err != nil {
		return err
	}
	p := usagePage(usage, first)
	p.Frame = page.AccountFrame(c, "Usage", page.AccountUsagePath)
	p.Lead = "Messages of the last 30 days, by the day in UTC on which they were accepted."
	if until.After(first) {
		p.Lead += " Outcomes are counted every 15 minutes, and of messages since " + listing.Clock(until) + " at once."
	}
	p.Live = page.Refresh(c, ui.Live.Of("usage"), "messages throttle:5s")
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Usage(p)})
}

func usagePage(usage []models.Usage, first time.Time) (p view.UsagePage) {
	p.Chart = ui.Chart{Title: "Messages by day and channel", Steps: "Day (UTC)"}
	series := map[string]int{}
	for i, o := range listing.Channels {
		p.Chart.Series = append(p.Chart.Series, o.Label)
		series[o.Value] = i
	}
	for i := range usageSpan {
		p.Chart.Bars = append(p.Chart.Bars, ui.Bar{Label: first.AddDate(0, 0, i).Format("2 Jan 2006"), Values: make([]int, len(series))})
	}
	var total models.Usage
	for _, u := range usage {
		if day := int(u.Day.Sub(first) / (24 * time.Hour)); day >= 0 && day < usageSpan {
			p.Chart.Bars[day].Values[series[u.Channel]] += u.Messages
		}
		total.Messages, total.Delivered, total.Failed = total.Messages+u.Messages, total.Delivered+u.Delivered, total.Failed+u.Failed
	}
	if total.Messages == 0 {
		return p
	}
	p.Totals = []ui.Pair{
		{Key: "Accepted", Value: listing.Number(total.Messages)},
		{Key: "Delivered or read", Value: share(total.Delivered, total.Messages)},
		{Key: "Failed", Value: share(total.Failed, total.Messages)},
		{Key: "On the way or not confirmed", Value: share(total.Messages-total.Delivered-total.Failed, total.Messages)},
	}
	return p
}

// share writes a number with its share of all, rounded to a tenth of a percent.
func share(n, all int) string {
	return listing.Number(n) + " (" + decimal((1000*n+all/2)/all) + " %)"
}
