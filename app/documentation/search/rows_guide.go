package search

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/db/models"
)

// What guides are worth: they go before the fields that their words are in, and
// their sections behind them.
const (
	guideWeight    = 0.9
	sectionWeight  = 0.8
	describeWeight = 0.66 // sections of the reference
)

// Guide is a guide page to be made findable.
type Guide struct {
	Product        Product
	ItemID         int64
	Slug           string
	Title, Summary string
	Section        string // in place of the product's guides, empty for one of them
	Text           string // Markdown
	SearchedAs     []string
}

// Rows returns the rows of the guide and of its sections, each found by its
// title before its text.
func (g Guide) Rows() []models.SearchRow {
	home := cmp.Or(g.Section, g.Product.Name)
	url, crumbs := "/productguide/"+g.Product.Slug+"/"+g.Slug, []string{"Product guide", home}
	var names []string
	var rows []models.SearchRow
	_, headings := markdown.RenderPage(g.Text, "")
	_, parts := sections(g.Text, headings)
	for _, s := range parts {
		names = append(names, s.Text)
		rows = append(rows, finish(models.SearchRow{
			ItemID: g.ItemID, Kind: "guide", Product: g.Product.Slug, Title: s.Text, URL: url + "#" + s.ID,
			Breadcrumb: append(crumbs[:2:2], g.Title), Body: plain(s.body), Names: indexed(s.Text), Others: indexed(g.Title), Weight: sectionWeight,
			Page: &models.SearchPage{Headings: indexed(g.Title, home), Text: indexed(plain(s.body))},
		}))
	}
	return append(rows, finish(models.SearchRow{
		ItemID: g.ItemID, Kind: "guide", Product: g.Product.Slug, Title: g.Title, URL: url,
		Breadcrumb: crumbs, Body: strings.TrimSpace(g.Summary + " " + plain(g.Text)),
		Names: indexed(g.Title), Context: indexed(names...), SearchedAs: g.SearchedAs, Weight: guideWeight,
		Page: &models.SearchPage{
			Headings: indexed(slices.Concat(names, []string{home, g.Slug}, g.SearchedAs)...), Text: indexed(g.Summary, plain(g.Text)),
		},
	}))
}

// section is what stands below a heading, up to the next.
type section struct {
	markdown.Heading
	body string // Markdown
}

var (
	headingLine = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]`)
	fenceLine   = regexp.MustCompile("^ {0,3}(```|~~~)")
)

// sections takes a text apart at its headings. There are none where headings
// are written in another way than with #.
func sections(text string, headings []markdown.Heading) (intro string, list []section) {
	var bodies []string
	fenced := false
	for line := range strings.Lines(text) {
		if fenceLine.MatchString(line) {
			fenced = !fenced
		}
		if !fenced && headingLine.MatchString(line) {
			bodies = append(bodies, "")
		} else if n := len(bodies); n > 0 {
			bodies[n-1] += line
		} else {
			intro += line
		}
	}
	if len(bodies) != len(headings) {
		return text, nil
	}
	for i, h := range headings {
		list = append(list, section{h, bodies[i]})
	}
	return intro, list
}

// described makes rows of the sections of what is said about a version or an
// endpoint, and returns what is said before them.
func (w *writer) described(at models.SearchRow, text string) (intro string, titles []string) {
	_, headings := markdown.RenderDescription(text)
	intro, list := sections(text, headings)
	for _, s := range list {
		row := at
		row.Kind, row.Title, row.URL, row.Weight = "guide", s.Text, at.URL+"#"+s.ID, describeWeight
		row.Body, row.Names = w.text(s.body), indexed(s.Text)
		row.Method, row.Path = "", ""
		row.Page = &models.SearchPage{Headings: indexed(append(row.Breadcrumb, w.version.Product.Slug)...), Text: indexed(row.Body)}
		w.add(row)
		titles = append(titles, s.Text)
	}
	return intro, titles
}
