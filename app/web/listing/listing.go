// Package listing builds the parts of a list that do not depend on its rows: its
// filter, its order and its pages. It also has the words that lists show for stored
// values.
package listing

import (
	"maps"
	"net/url"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// PageSize is the number of rows on a page of a list, and mostPages the number of
// pages that are refreshed at once.
const (
	PageSize  = 50
	mostPages = 10
)

// Position is the part of a query that all lists share: the order and the pages.
type Position struct {
	// Order is "asc" or "desc"; any other word is the list's own order.
	Order string `query:"order"`
	// Page has one value for each page that the browser shows already.
	Page []string `query:"page"`
}

// Rows returns the number of rows to show.
func (p Position) Rows() int { return PageSize * p.Pages() }

// Pages returns the number of pages to show.
func (p Position) Pages() int { return min(max(1, len(p.Page)), mostPages) }

// List builds the parts of a list that do not depend on its rows.
type List struct {
	Position
	Path   string
	Filter url.Values
	// Standard is the order without a parameter, "asc" or "desc". It is empty for
	// a list in one order.
	Standard string
	// Orders are the labels of the standard order and of the other one.
	Orders [2]string
	// Later is true for a page that is not the first one.
	Later bool
	// One and Many name the rows.
	One, Many string
}

// Newest are the labels of lists with the newest rows first.
var Newest = [2]string{"Newest first", "Oldest first"}

// Reversed reports whether the list is in the other order.
func (l List) Reversed() bool {
	return l.Order != l.Standard && (l.Order == "asc" || l.Order == "desc")
}

// other is the order that is not the standard one.
func (l List) other() string { return map[string]string{"asc": "desc", "desc": "asc"}[l.Standard] }

// Values returns the query of the filter with the order.
func (l List) Values() url.Values {
	values := maps.Clone(l.Filter)
	if l.Reversed() {
		values.Set("order", l.Order)
	}
	return values
}

// Address returns the address of the filtered list, without empty fields. It is
// empty for a later page.
func (l List) Address() string {
	if l.Later {
		return ""
	}
	return page.Address(l.Path, l.Values())
}

// Sorted returns the column that the list is sorted by.
func (l List) Sorted(c ui.Column) ui.Column {
	current, values := l.Standard, maps.Clone(l.Filter)
	if l.Reversed() {
		current = l.Order
	} else {
		values.Set("order", l.other())
	}
	c.Sort, c.Order = ui.Link{Label: c.Label, Href: page.Address(l.Path, values)}, map[string]string{"asc": "ascending", "desc": "descending"}[current]
	return c
}

// Rows is what a List needs to know of the rows that it shows.
type Rows struct {
	Count int
	More  bool             // whether further rows follow
	Mark  func(url.Values) // writes the place of the next page into its query
}

// Prepare completes the filter of a list, so that it can be shown before its rows
// are known.
func (l List) Prepare(list *ui.Listing) {
	list.Filter.Action, list.Filter.Region, list.Filter.Clear = l.Path, ui.List, l.showAll()
	if l.Standard != "" {
		list.Filter.Sort = ui.Select{Name: "order", Label: "Sort", Options: []ui.Option{{Label: l.Orders[0]}, {Value: l.other(), Label: l.Orders[1]}}}
	}
	if l.Reversed() {
		list.Filter.Sort.Value = l.Order
	}
}

// Rejected returns the region that shows what is wrong with a filter: the list with its
// filter, where the list was asked for. A link from another page gets what it asked for.
func Rejected(c echo.Context) ui.Region {
	if page.Target(c) == ui.List {
		return ui.Filtered
	}
	return ""
}

// Finish completes a list that shows rows.
func (l List) Finish(c echo.Context, list *ui.Listing, shown Rows) {
	l.Prepare(list)
	list.Table.Quiet, list.Table.Kept = true, page.WantsFragment(c) && page.Target(c) != ui.Main
	list.Table.Rest.Pages, list.Table.Rest.Appended = l.Pages(), page.WantsFragment(c) && page.Target(c) == ui.More
	list.Summary = l.summary(shown.Count, shown.More)
	if l.Later {
		list.First = ui.Link{Label: "First page", Href: page.Address(l.Path, l.Values())}
	}
	if shown.More {
		next := l.Values()
		shown.Mark(next)
		list.Table.Rest.Link = ui.Link{Label: "Show more " + l.Many, Href: page.Address(l.Path, next)}
	}
}

// summary describes how many rows are shown.
func (l List) summary(n int, more bool) string {
	count := humanize.Comma(int64(n)) + " " + l.Many
	if n == 1 {
		count = "1 " + l.One
	}
	switch {
	case n == 0:
		return ""
	case l.Later:
		return count + " on this page"
	case more:
		return "First " + count
	}
	return count
}

// showAll returns the link that removes the filter, if there is one.
func (l List) showAll() ui.Link {
	if len(l.Filter) == 0 {
		return ui.Link{}
	}
	return ui.Link{Label: "Show all", Href: l.Path}
}
