package reader

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// HomePage presents the portal and shows a first call.
type HomePage struct {
	layout.Page
	// Heading and Lead introduce what the portal holds. Start is the heading of Steps.
	Heading, Lead, Start string
	Steps                []Step
	// Request and Answer show a first call and its response, in one of
	// Languages.
	Request   ui.Code
	Answer    ui.Code
	Languages []ui.Link
	// Keys links to registration, Endpoint to the reference of the first call,
	// and Callbacks to its statuses.
	Keys      ui.Link
	Endpoint  ui.Link
	Callbacks ui.Link
	// Examples are suggested searches with their results.
	Examples []GuideCard
	// Guides link to further guides; Begin links to the first one.
	Begin    ui.Link
	Guides   []GuideCard
	Products []ProductCard
	// First leads administrators to the first step of an empty portal.
	First ui.Link
	// Counts are the numbers of the status line, counted from the published
	// documentation.
	Counts    []Count
	Published Published
}

// Step is a step towards a first answer. Signal is a short name for its marks. A step
// without a link is plain text.
type Step struct {
	Signal, Title, Text string
	Link                ui.Link
}

// ProductCard presents a product. A product that is only announced has no link.
type ProductCard struct {
	ui.Link
	Icon      ui.Drawing
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
	Name        string
	Icon        ui.Drawing
	Lifecycle   ui.Lifecycle
	Description ui.HTML
	// Reference links to the version to read first, and Topics to its
	// categories.
	Reference ui.Link
	Topics    []Topic
	Versions  []VersionCard
	// Compare is the address of the comparison of the versions.
	Compare string
	// Changelog is the address of the changelog.
	Changelog string
	// Guides are the product's part of the product guide.
	Guides []GuideCard
	// Soon says that an announced product has no documentation yet, and Tell leads to
	// the form that asks about it. Both are empty for others.
	Soon string
	Tell ui.Link
	// Call is an endpoint with a call of it and the answer, and Needs what a caller has
	// to know. All are empty for a product without endpoints.
	Call            ui.Link
	Request, Answer ui.Code
	Needs           []ui.Pair
}

// Topic is a category of a product's endpoints with their number.
type Topic struct {
	ui.Link
	Summary string
	Size    string
}

// VersionCard presents a version of a product.
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
	Notice      Notice
	Name        string
	Lifecycle   ui.Lifecycle
	Description ui.HTML
	Servers     []Server
	// AuthNote is the version's text about authentication.
	AuthNote ui.HTML
	Auth     []AuthScheme
	IsOpen   bool // whether endpoints say that calls need no credential
	// Text is the rest of the introduction; Topics link to its sections.
	Text   ui.HTML
	Topics []ui.Link
	// Notes are the release notes.
	Notes ui.HTML
	// Size counts the endpoints: "28".
	Size       string
	Categories []Category
	// Callbacks are sent to servers of the reader.
	Callbacks []Category
	// Schemas are those that the endpoints use.
	Schemas   []ui.Link
	Published Published
}

// contents links to the sections of the page.
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

// Server is a base URL of the version.
type Server struct {
	URL  string
	Note string
}

// Category is a group of endpoints or callbacks with its own heading. ID is its
// anchor; Size counts them: "5".
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
