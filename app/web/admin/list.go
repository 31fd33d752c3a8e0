package admin

import (
	"net/url"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// pageSize is how many rows a list shows at once.
const pageSize = 50

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
		links.First = ui.Link{Label: "First page", Href: page.Address(p.path, p.values)}
	}
	if more {
		next := url.Values{}
		for name, values := range p.values {
			next[name] = values
		}
		mark(next)
		links.Next = ui.Link{Label: "Next page", Href: page.Address(p.path, next)}
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

// clip shortens a text that a row has no room for, to so many characters.
func clip(text string, longest int) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
