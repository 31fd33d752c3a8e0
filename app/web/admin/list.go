package admin

import (
	"maps"
	"net/url"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// pageSize is the number of rows on a page of a list, and mostPages the number
// of pages that are refreshed at once.
const (
	pageSize  = 50
	mostPages = 10
)

// Position is the part of a query that all lists share: the order and the pages.
type Position struct {
	// Order is "asc" or "desc"; any other word is the list's own order.
	Order string `query:"order"`
	// Page has one value for each page that the browser shows already.
	Page []string `query:"page"`
}

// rows returns the number of rows to show.
func (p Position) rows() int { return pageSize * p.pages() }

func (p Position) pages() int { return min(max(1, len(p.Page)), mostPages) }

// listing builds the parts of a list that do not depend on its rows.
type listing struct {
	Position
	path   string
	filter url.Values
	// standard is the order without a parameter, "asc" or "desc".
	standard string
	// later is true for a page that is not the first one.
	later bool
	// one and many name the rows.
	one, many string
}

// reversed reports whether the list is in the other order.
func (l listing) reversed() bool {
	return l.Order != l.standard && (l.Order == "asc" || l.Order == "desc")
}

// values returns the query of the filter with the order.
func (l listing) values() url.Values {
	values := maps.Clone(l.filter)
	if l.reversed() {
		values.Set("order", l.Order)
	}
	return values
}

// address returns the address of the filtered list, without empty fields.
func (l listing) address() string {
	if l.later {
		return ""
	}
	return page.Address(l.path, l.values())
}

// head returns the column that the list is sorted by.
func (l listing) head(c ui.Column) ui.Column {
	orders := map[string]string{"asc": "ascending", "desc": "descending"}
	current, values := l.standard, maps.Clone(l.filter)
	if l.reversed() {
		current = l.Order
	} else {
		values.Set("order", map[string]string{"asc": "desc", "desc": "asc"}[l.standard])
	}
	c.Sort, c.Order = ui.Link{Label: c.Label, Href: page.Address(l.path, values)}, orders[current]
	return c
}

// rows is what a listing needs to know of the rows that it shows.
type rows struct {
	count int
	more  bool             // whether further rows follow
	mark  func(url.Values) // writes the place of the next page into its query
}

// finish completes a list that shows rows.
func (l listing) finish(c echo.Context, list *view.List, shown rows) {
	list.Filter.Action, list.Filter.Region, list.Filter.Clear = l.path, ui.List, page.ShowAll(l.path, l.filter)
	if l.reversed() {
		list.Filter.Keep = []ui.Pair{{Key: "order", Value: l.Order}}
	}
	list.Table.Quiet, list.Table.Kept = true, page.WantsFragment(c) && page.Target(c) != ui.Main
	list.Table.Rest = ui.Rest{Pages: l.pages(), Appended: page.WantsFragment(c) && page.Target(c) == ui.More}
	list.Summary = l.summary(shown.count, shown.more)
	if l.later {
		list.First = ui.Link{Label: "First page", Href: page.Address(l.path, l.values())}
	}
	if shown.more {
		next := l.values()
		shown.mark(next)
		list.Table.Rest.Link = ui.Link{Label: "Show more " + l.many, Href: page.Address(l.path, next)}
	}
}

// summary describes how many rows are shown.
func (l listing) summary(n int, more bool) string {
	count := number(int64(n)) + " " + l.many
	if n == 1 {
		count = "1 " + l.one
	}
	switch {
	case n == 0:
		return ""
	case l.later:
		return count + " on this page"
	case more:
		return "First " + count
	}
	return count
}

// address returns the address of the request with the query, without the number
// of pages that are shown.
func address(c echo.Context) string {
	query := c.Request().URL.Query()
	query.Del("page")
	query.Del("done")
	return page.Address(c.Request().URL.Path, query)
}

// when is a cell with a time. The age of the time is its title.
func when(t time.Time) ui.Cell {
	return ui.Cell{Text: t.UTC().Format("2 Jan 2006, 15:04:05"), Title: humanize.Time(t)}
}

// ago returns the time from t until now in words.
func ago(t, now time.Time) string { return humanize.RelTime(t, now, "ago", "from now") }

// number writes a whole number with separators, plain without.
func number(n int64) string { return humanize.Comma(n) }
func plain(n int64) string  { return strconv.FormatInt(n, 10) }

// clip shortens a text to at most the given number of characters.
func clip(text string, longest int) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
