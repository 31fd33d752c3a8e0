package reader

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// GuideNav is the navigation of the product guide: its pages, by product.
type GuideNav struct {
	Overview ui.Link
	Groups   []GuideGroup
}

// GuideGroup is the guides of a product in reading order.
type GuideGroup struct {
	Title  string
	Icon   ui.Drawing
	Accent string
	Links  []ui.Link
}

// GuidesPage is the overview of the product guide.
type GuidesPage struct {
	layout.Page
	Nav      GuideNav
	Products []GuideProduct
}

// GuideProduct is a product with its guides.
type GuideProduct struct {
	ID     string // anchor of its section
	Name   string
	Accent string
	// Reference links to its latest version.
	Reference ui.Link
	Groups    []GuideCards
}

// GuideCards is a group of guides with their summaries.
type GuideCards struct {
	Title string
	Cards []GuideCard
}

// GuideCard presents a guide.
type GuideCard struct {
	ui.Link
	Summary string
}

// GuidePage is one guide.
type GuidePage struct {
	layout.Page
	// Path is the path of the page.
	Path    string
	Nav     GuideNav
	Name    string
	Summary string
	Text    ui.HTML
	// Minutes is how long reading takes; 0 is unknown.
	Minutes  int
	Contents []ContentsLink
	Previous ui.Link
	Next     ui.Link
	// Published is the time when the text was published.
	Published Published
}

func (p GuidePage) readingTime() string {
	return ui.Counted(p.Minutes, "minute", "minutes") + " to read"
}

// ContentsLink links to a section of the page. Nested ones are subsections of
// the one before.
type ContentsLink struct {
	ui.Link
	Nested bool
}

// pageAttribute marks the link of the current page.
func pageAttribute(l ui.Link) templ.Attributes {
	if !l.Current {
		return nil
	}
	return templ.Attributes{"aria-current": "page"}
}
