package account

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/dustin/go-humanize"

	"heliograph/app/fault"
	"heliograph/app/web/page"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

const (
	messagesPath   = "/account/messages"
	deliveriesPath = "/account/deliveries"
	webhooksPath   = "/account/webhooks"
	usagePath      = "/account/usage"
)

// pageSize is how many rows a log shows at once.
const pageSize = 50

// faults collects what cannot be read of a filter, by field.
type faults []fault.Field

func (f *faults) add(name, message string) {
	*f = append(*f, fault.Field{Name: name, Message: message})
}

// choice checks that a value is one of those that are offered.
func (f *faults) choice(name, value string, options []ui.Option) string {
	for _, o := range options {
		if o.Value == value {
			return value
		}
	}
	f.add(name, "Choose one of the list.")
	return ""
}

// minute reads a time as datetime-local fields send it, in UTC, or a day.
func (f *faults) minute(name, text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 2000 && t.Year() < 3000 {
			return t
		}
	}
	f.add(name, "Write a day and a time in UTC, for example 2026-11-21T14:30.")
	return time.Time{}
}

func (f *faults) err() error {
	if len(*f) == 0 {
		return nil
	}
	return fault.InvalidFields(*f...)
}

// place is where a page of a log lies: its filter, where the page begins, and
// where those began that were passed on the way, but the first.
type place struct {
	path   string
	filter url.Values
	before string
	passed string // with commas between
}

// maxPassed bounds the way back, in characters of an address.
const maxPassed = 1500

// at is the address of the page that begins there, with the way to it.
func (p place) at(before, passed string) string {
	query := page.Query("before", before, "passed", passed)
	for name, values := range p.filter {
		query[name] = values
	}
	return page.Address(p.path, query)
}

// live refreshes the rows of the first page down to the last one, whose position
// is given, when one of the topics is named. Rows that were appended stay.
func (p place) live(last string, topics ...string) templ.Attributes {
	query := page.Query("since", last)
	for name, values := range p.filter {
		query[name] = values
	}
	return ui.Refresh(ui.LiveRows, page.Address(p.path, query), topics...)
}

// sizeOf is how many rows are asked for: a page, or those of a list that grows
// while it is open.
func sizeOf(since string) int {
	if since == "" {
		return pageSize
	}
	return 3 * pageSize
}

// since cuts a list after the last item that was shown.
func since[Item any](items []Item, shown func(Item) bool) []Item {
	for i, item := range items {
		if !shown(item) {
			return items[:i]
		}
	}
	return items
}

// logView is a log in its renderings: whole, its list, its live rows, and the rows
// that a list appends.
func logView(p view.LogPage, at place) page.View {
	return page.View{
		Frame: p.Page, Body: view.LogView(p), Address: at.at(at.before, at.passed),
		Elsewhere: map[ui.Region]templ.Component{ui.More: ui.Older(p.Log.Table, p.Log.Paging)},
	}
}

// back leads to the pages before this one.
func (p place) back(paging *ui.Paging) {
	if p.before == "" {
		return
	}
	passed, last := "", p.passed
	if i := strings.LastIndexByte(p.passed, ','); i >= 0 {
		passed, last = p.passed[:i], p.passed[i+1:]
	}
	paging.Previous = ui.Link{Label: "Newer", Href: p.at(last, passed)}
	if last != "" {
		paging.First = ui.Link{Label: "Newest", Href: p.at("", "")}
	}
}

// paging leads on from a page that ends at next, empty for the last page. full
// says that the page has as many rows as fit; one that has not is the end of
// what was examined, back to reached.
func (p place) paging(l *view.Log, next string, full bool, reached time.Time) {
	p.back(&l.Paging)
	if next == "" {
		return
	}
	passed := strings.Trim(p.passed+","+p.before, ",")
	if len(passed) > maxPassed {
		passed = p.before
	}
	l.Paging.Next, l.Paging.Append = ui.Link{Label: "Older", Href: p.at(next, passed)}, true
	if !full {
		l.Paging.Next.Label = "Look further back"
		l.Reached = "Looked back to " + clock(reached) + ". There may be more before."
		if len(l.Table.Rows) == 0 {
			l.Reached = "Nothing fits since " + clock(reached) + ". There may be more before."
		}
	}
}

// clock writes a time with its zone.
func clock(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") }

// moment is a cell with a time under a heading that names the zone, and how long
// ago it was for who points at it.
func moment(t time.Time) ui.Cell {
	return ui.Cell{Text: t.UTC().Format("2 Jan 2006, 15:04:05"), Title: humanize.Time(t)}
}

func comma(n int) string { return humanize.Comma(int64(n)) }

// decimal writes tenths.
func decimal(tenths int) string { return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) }
