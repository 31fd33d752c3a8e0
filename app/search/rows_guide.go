package search

import (
	"strings"

	"heliograph/app/spec"
	"heliograph/db/models"
)

// guideWeight puts a guide before the fields that its words are in.
const guideWeight = 0.9

// Guide is a guide page to be made findable.
type Guide struct {
	Product        Product
	ItemID         int64
	Slug           string
	Title, Summary string
	Text           string // Markdown
}

// Row returns the row of the guide. It is found by its title and headings
// before its text.
func (g Guide) Row() models.SearchRow {
	_, headings := spec.MarkdownPage(g.Text)
	var sections []string
	for _, h := range headings {
		sections = append(sections, h.Text)
	}
	return finish(models.SearchRow{
		ItemID: g.ItemID, Kind: "guide", Product: g.Product.Slug, Title: g.Title, URL: "/productguide/" + g.Product.Slug + "/" + g.Slug,
		Breadcrumb: []string{"Product guide", g.Product.Name}, Body: strings.TrimSpace(g.Summary + " " + plain(g.Text)),
		Names: indexed(g.Title), Others: indexed(sections...), Weight: guideWeight,
	})
}
