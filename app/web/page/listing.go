package page

import (
	"maps"
	"net/url"

	"github.com/a-h/templ"
	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

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

// Listing builds the parts of a list that do not depend on its rows.
type Listing struct {
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

// Newest are the labels of lists whose newest rows come first.
var Newest = [2]string{"Newest first", "Oldest first"}

// Reversed reports whether the list is in the other order.
func (l Listing) Reversed() bool {
	return l.Order != l.Standard && (l.Order == "asc" || l.Order == "desc")
}

// other is the order that is not the standard one.
func (l Listing) other() string { return map[string]string{"asc": "desc", "desc": "asc"}[l.Standard] }

// Values returns the query of the filter with the order.
func (l Listing) Values() url.Values {
	values := maps.Clone(l.Filter)
	if l.Reversed() {
		values.Set("order", l.Order)
	}
	return values
}

// Address returns the address of the filtered list, without empty fields. It is
// empty for a later page.
func (l Listing) Address() string {
	if l.Later {
		return ""
	}
	return Address(l.Path, l.Values())
}

// Sorted returns the column that the list is sorted by.
func (l Listing) Sorted(c ui.Column) ui.Column {
	current, values := l.Standard, maps.Clone(l.Filter)
	if l.Reversed() {
		current = l.Order
	} else {
		values.Set("order", l.other())
	}
	c.Sort, c.Order = ui.Link{Label: c.Label, Href: Address(l.Path, values)}, map[string]string{"asc": "ascending", "desc": "descending"}[current]
	return c
}

// Rows is what a Listing needs to know of the rows that it shows.
type Rows struct {
	Count int
	More  bool             // whether further rows follow
	Mark  func(url.Values) // writes the place of the next page into its query
}

// Prepare completes the filter of a list, so that it can be shown before its rows
// are known.
func (l Listing) Prepare(list *ui.Listing) {
	list.Filter.Action, list.Filter.Region, list.Filter.Clear = l.Path, ui.List, showAll(l.Path, l.Filter)
	if l.Standard != "" {
		list.Filter.Sort = ui.Select{Name: "order", Label: "Sort", Options: []ui.Option{{Label: l.Orders[0]}, {Value: l.other(), Label: l.Orders[1]}}}
	}
	if l.Reversed() {
		list.Filter.Sort.Value = l.Order
	}
}

// Finish completes a list that shows rows.
func (l Listing) Finish(c echo.Context, list *ui.Listing, shown Rows) {
	l.Prepare(list)
	list.Table.Quiet, list.Table.Kept = true, WantsFragment(c) && Target(c) != ui.Main
	list.Table.Rest.Pages, list.Table.Rest.Appended = l.Pages(), WantsFragment(c) && Target(c) == ui.More
	list.Summary = l.summary(shown.Count, shown.More)
	if l.Later {
		list.First = ui.Link{Label: "First page", Href: Address(l.Path, l.Values())}
	}
	if shown.More {
		next := l.Values()
		shown.Mark(next)
		list.Table.Rest.Link = ui.Link{Label: "Show more " + l.Many, Href: Address(l.Path, next)}
	}
}

// summary describes how many rows are shown.
func (l Listing) summary(n int, more bool) string {
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

// Refresh returns the attributes that refresh a region from the address of the
// request when one of the topics is named. The number of pages that are shown is
// not part of the address.
func Refresh(c echo.Context, region ui.Region, topics ...string) templ.Attributes {
	query := c.Request().URL.Query()
	query.Del("page")
	query.Del(doneParameter)
	return ui.Refresh(region, Address(c.Request().URL.Path, query), topics...)
}
