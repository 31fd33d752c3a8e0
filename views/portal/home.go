package portal

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// HomePage says what the portal is and leads to the first call.
type HomePage struct {
	layout.Page
	// Request and Answer show a first call and its reply, in one of Languages.
	Request   ui.Code
	Answer    ui.Code
	Languages []ui.Link
	// Keys leads to where a reader gets a key, Endpoint to the documentation
	// of the first call, Callbacks to that of the statuses. Steps whose link
	// is missing are told without one.
	Keys      ui.Link
	Endpoint  ui.Link
	Callbacks ui.Link
	// Examples are searches, each with what it finds.
	Examples []GuideCard
	// Guides are where to go on from the first call; Begin is the first.
	Begin    ui.Link
	Guides   []GuideCard
	Products []ProductCard
	// Counts make the status line, each counted from what is published.
	Counts    []Count
	Published Published
}

// ProductCard presents a product. One without a link is announced only.
type ProductCard struct {
	ui.Link
	Summary   string
	Accent    string
	Lifecycle ui.Lifecycle
	// Facts are short, such as "Version 3.0" and "28 endpoints".
	Facts []string
}

// Count is a number with the noun that agrees with it: "61", "endpoints".
type Count struct {
	Number string
	Noun   string
}

// ProductPage presents a product and its versions, newest first.
type ProductPage struct {
	layout.Page
	Crumbs      []ui.Link
	Name        string
	Lifecycle   ui.Lifecycle
	Description ui.HTML
	// Reference leads to the version to read first, and Topics to what it offers.
	Reference ui.Link
	Topics    []Topic
	Versions  []VersionCard
	// Guides are the product's part of the product guide.
	Guides []GuideCard
}

// Topic is a category of a product's endpoints, with how many it has.
type Topic struct {
	ui.Link
	Summary string
	Size    string
}

// VersionCard presents a version in its product.
type VersionCard struct {
	ui.Link
	Lifecycle ui.Lifecycle
	// Facts are short, such as "28 endpoints" and "Published 12 March 2026".
	Facts []string
}

// VersionPage introduces a version and lists its endpoints.
type VersionPage struct {
	layout.Page
	Nav         Nav
	Crumbs      []ui.Link
	Notice      Notice
	Name        string
	Lifecycle   ui.Lifecycle
	Description ui.HTML
	Servers     []Server
	// AuthNote is what the version says of its schemes.
	AuthNote ui.HTML
	Auth     []AuthScheme
	// Text is the rest of the introduction; Topics lead to its sections.
	Text   ui.HTML
	Topics []ui.Link
	// Notes are the release notes.
	Notes ui.HTML
	// Size counts the endpoints: "28 endpoints".
	Size       string
	Categories []Category
	// Callbacks are what is sent to servers of the reader.
	Callbacks []Category
	// Schemas are those that the endpoints use.
	Schemas   []ui.Link
	Published Published
}

// contents leads to the sections of the page.
func (p VersionPage) contents() (list []ContentsLink) {
	add := func(nested bool, links ...ui.Link) {
		for _, l := range links {
			list = append(list, ContentsLink{Link: l, Nested: nested})
		}
	}
	if len(p.Servers) > 0 {
		add(false, ui.Link{Label: "Base URL", Href: "#base-url"})
	}
	add(false, ui.Link{Label: "Authentication", Href: "#authentication"})
	add(false, p.Topics...)
	if p.Notes != "" {
		add(false, ui.Link{Label: "Release notes", Href: "#release-notes"})
	}
	add(false, ui.Link{Label: "Endpoints", Href: "#endpoints"})
	for _, c := range p.Categories {
		add(true, ui.Link{Label: c.Title, Href: "#" + c.ID})
	}
	for _, c := range p.Callbacks {
		add(false, ui.Link{Label: c.Title, Href: "#" + c.ID})
	}
	if len(p.Schemas) > 0 {
		add(false, ui.Link{Label: "Schemas", Href: "#schemas"})
	}
	return list
}

// Server is a base URL that the version is served from.
type Server struct {
	URL  string
	Note string
}

// Category is a group of endpoints or callbacks with its own heading. ID is its
// anchor; Size counts them: "5 callbacks".
type Category struct {
	ID          string
	Title       string
	Size        string
	Description ui.HTML
	Endpoints   []EndpointRow
}

// EndpointRow is an endpoint in a list.
type EndpointRow struct {
	NavLink
	Summary string
}
