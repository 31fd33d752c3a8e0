package admin

import (
	"net/url"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/views/ui"
)

// pageSize is how many rows a list shows at once.
const pageSize = 50

// ask reads what the address of a list says into a struct with query tags.
func ask[T any](c echo.Context) (asked T, err error) {
	if err := (&echo.DefaultBinder{}).BindQueryParams(c, &asked); err != nil {
		return asked, fault.New(fault.Invalid, "The address of this list cannot be read. Begin again from the menu.")
	}
	return asked, nil
}

// given makes a query of pairs, without those that are empty.
func given(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

// address is a path with a query.
func address(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// showAll is the link that ends a filter, where there is one.
func showAll(filter url.Values, path string) ui.Link {
	if len(filter) == 0 {
		return ui.Link{}
	}
	return ui.Link{Label: "Show all", Href: path}
}

// paging leads through a list by the place where a page ended. begun says that
// this is not the first page.
type paging struct {
	path   string
	values url.Values // of the filter
	begun  bool
}

// links are the ways from here: mark writes where the next page begins, if
// there is more.
func (p paging) links(more bool, mark func(url.Values)) (links ui.Paging) {
	if p.begun {
		links.First = ui.Link{Label: "First page", Href: address(p.path, p.values)}
	}
	if more {
		next := url.Values{}
		for name, values := range p.values {
			next[name] = values
		}
		mark(next)
		links.Next = ui.Link{Label: "Next page", Href: address(p.path, next)}
	}
	return links
}

// when is a cell with a time, and how long ago it was for who points at it.
func when(t time.Time) ui.Cell {
	return ui.Cell{Text: t.UTC().Format("2 Jan 2006, 15:04:05"), Title: humanize.Time(t)}
}

// ago says how long before now a time was.
func ago(t, now time.Time) string { return humanize.RelTime(t, now, "ago", "from now") }

// number writes a whole number for people, plain for machines.
func number(n int64) string { return humanize.Comma(n) }
func plain(n int64) string  { return strconv.FormatInt(n, 10) }

// pathID reads the id in the path; what is no id names nothing.
func pathID(c echo.Context) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, fault.New(fault.NotFound, "There is no such page.")
	}
	return id, nil
}

// doneAt is the page that says what was just done.
func doneAt(path, done string) string { return path + "?done=" + done }

// clip shortens a text that a row has no room for.
func clip(text string) string {
	if runes := []rune(text); len(runes) > longestValue {
		return string(runes[:longestValue]) + "…"
	}
	return text
}
