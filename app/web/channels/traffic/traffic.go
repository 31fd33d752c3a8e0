// Package traffic makes the part of an overview about the messages of the last seven
// days: what was sent, what failed and why, which requests were refused, and how much of
// the limits is used.
package traffic

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/pipeline"
	"heliograph/app/web/listing"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/traffic"
	"heliograph/views/ui"
)

// days is how many days are shown, including today.
const days = 7

// storageCode is the error of a file for which there is no room.
const storageCode = 131053

// from returns midnight (UTC) of the first day.
func from(now time.Time) time.Time {
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-days)
}

// Sections makes the sections of the home pages.
type Sections struct {
	DB       db.Querier // read only
	Channels pipeline.Channels
}

// Account makes the section of an organisation. quotas bound its files. It is nil as
// long as nothing was sent and nothing refused.
func (m Sections) Account(ctx context.Context, organisationID int64, quotas media.Quotas, now time.Time) (*view.Section, error) {
	t, err := queries.TrafficGet(ctx, m.DB, organisationID, from(now))
	if err != nil || len(t.Usage)+len(t.Refused) == 0 {
		return nil, err
	}
	failed := "/account/messages?" + url.Values{"state": {pipeline.Failed}, "from": {from(now).Format("2006-01-02T15:04")}}.Encode()
	s := m.section(t, from(now), links{sent: "/account/usage", failed: failed, refused: "/account/refused-requests"})
	for _, l := range []struct {
		name      string
		used, max int64
	}{{"Files stored", t.StoredBytes, quotas.Stored}, {"Files uploaded today (UTC)", t.UploadedBytes, quotas.Daily}} {
		if l.max <= 0 {
			continue
		}
		f := view.Figure{Name: l.name, Number: humanize.IBytes(uint64(l.used)) + " of " + humanize.IBytes(uint64(l.max)), Href: messaging.Declaration.ErrorEntry(storageCode)}
		if l.used*10 >= l.max*9 {
			f.Tone = ui.Warn
		}
		s.Figures = append(s.Figures, f)
	}
	return s, nil
}

// All makes the section of all organisations.
func (m Sections) All(ctx context.Context, now time.Time) (*view.Section, error) {
	t, err := queries.TrafficGetAll(ctx, m.DB, from(now))
	if err != nil {
		return nil, err
	}
	s := m.section(t, from(now), links{sent: "/admin/analytics/partners", failed: "/admin/analytics/partners", refused: "/admin/refused-requests"})
	s.Note = "Messages are counted every 15 minutes, refused requests within seconds."
	return s, nil
}

// links leads from figures to the pages of what they count.
type links struct{ sent, failed, refused string }

// failures leads to the failed messages of a channel, where they can be told apart.
func (l links) failures(channel string) string {
	if !strings.Contains(l.failed, "?") {
		return l.failed
	}
	return l.failed + "&" + url.Values{"channel": {channel}}.Encode()
}

func (m Sections) section(t models.Traffic, first time.Time, to links) *view.Section {
	s := &view.Section{Title: "Last seven days", Sent: ui.Chart{Title: "Messages by channel", Steps: "Day (UTC)", Neutral: true}}
	s.Outcomes = ui.Chart{Title: "Messages by outcome", Steps: "Day (UTC)", Tint: 1, Series: []string{"On the way or not confirmed", "Delivered or read", "Failed"}}
	series := map[string]int{}
	for i, o := range listing.Channels {
		s.Sent.Series = append(s.Sent.Series, o.Label)
		series[o.Value] = i
	}
	for i := range days {
		label := first.AddDate(0, 0, i).Format("2 Jan")
		s.Sent.Bars = append(s.Sent.Bars, ui.Bar{Label: label, Values: make([]int, len(series))})
		s.Outcomes.Bars = append(s.Outcomes.Bars, ui.Bar{Label: label, Values: make([]int, 3)})
	}
	var sum models.Usage
	for _, u := range t.Usage {
		sum.Messages, sum.Delivered, sum.Failed = sum.Messages+u.Messages, sum.Delivered+u.Delivered, sum.Failed+u.Failed
		day := int(u.Day.Sub(first) / (24 * time.Hour))
		if day < 0 || day >= days {
			continue
		}
		s.Sent.Bars[day].Values[series[u.Channel]] += u.Messages
		for i, n := range []int{u.Messages - u.Delivered - u.Failed, u.Delivered, u.Failed} {
			s.Outcomes.Bars[day].Values[i] += n
		}
	}
	if sum.Messages == 0 {
		s.Sent, s.Outcomes = ui.Chart{}, ui.Chart{}
	}
	s.Figures = []view.Figure{
		{Number: listing.Number(sum.Messages), Name: "Messages", Href: to.sent},
		{Number: percent(sum.Failed, sum.Messages), Name: "Failed", Href: to.failed, Tone: warned(sum.Failed)},
		{Number: listing.Number(t.RefusedCount), Name: "Refused requests", Href: to.refused, Tone: warned(t.RefusedCount)},
	}
	s.Failures = view.Reasons{
		ID: "failures", Title: "Why messages failed", Empty: "No message failed.", All: ui.Link{Label: "All failed messages", Href: to.failed},
		Table: ui.Table{Caption: "Why messages failed", Quiet: true, Columns: []ui.Column{{Label: "Reason", Lead: true}, {Label: "Channel"}, {Label: "Messages", Numeric: true}}},
	}
	for _, f := range t.Failures {
		s.Failures.Table.Rows = append(s.Failures.Table.Rows, []ui.Cell{m.reason(f), {Text: ui.LabelOf(listing.Channels, f.Channel)}, {Text: listing.Number(f.Count), Href: to.failures(f.Channel)}})
	}
	s.Refused = view.Reasons{
		ID: "refused", Title: "Why requests were refused", Empty: "No request was refused.", All: ui.Link{Label: "All refused requests", Href: to.refused},
		Table: ui.Table{Caption: "Why requests were refused", Quiet: true, Columns: []ui.Column{{Label: "Code", Lead: true}, {Label: "Channel"}, {Label: "Requests", Numeric: true}}},
	}
	for _, r := range t.Refused {
		s.Refused.Table.Rows = append(s.Refused.Table.Rows, []ui.Cell{
			{Text: strconv.Itoa(r.Code), Href: m.Channels[r.Channel].ErrorEntry(r.Code), Note: "last " + humanize.Time(r.At)}, {Text: ui.LabelOf(listing.Channels, r.Channel)},
			{Text: listing.Number(r.Repeats), Href: to.refused + "?" + url.Values{"channel": {r.Channel}, "code": {strconv.Itoa(r.Code)}}.Encode()},
		})
	}
	return s
}

// reason is the cell of a reason, which leads to its entry among the errors.
func (m Sections) reason(f models.FailureCount) ui.Cell {
	channel := m.Channels[f.Channel]
	if f.Code == 0 || channel == nil {
		return ui.Cell{Text: orUnknown(f.Title)}
	}
	c := ui.Cell{Text: strconv.Itoa(f.Code), Href: channel.ErrorEntry(f.Code)}
	if f.Title != "" {
		c.Text, c.Note = f.Title, strconv.Itoa(f.Code)
	}
	return c
}

func orUnknown(title string) string {
	return cmp.Or(title, "No reason given")
}

// percent writes a number with its share of all, rounded to a tenth of a percent.
func percent(n, all int) string {
	if all == 0 || n == 0 {
		return listing.Number(n)
	}
	tenths := (1000*n + all/2) / all
	return listing.Number(n) + " (" + strings.TrimSuffix(strconv.Itoa(tenths/10)+"."+strconv.Itoa(tenths%10), ".0") + " %)"
}

func warned(n int) ui.Tone {
	if n > 0 {
		return ui.Warn
	}
	return ""
}
