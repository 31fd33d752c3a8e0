// Package reader holds the reading pages: home, product, version, endpoint and
// errors. Each page is a struct of strings ready to display and a component of
// the same noun that shows it.
package reader

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Nav is the navigation of one version, shown beside all of its pages.
type Nav struct {
	Product ui.Link
	Icon    ui.Drawing
	Version string
	// Lifecycle is the version's stage.
	Lifecycle ui.Lifecycle
	// Versions links to the product's versions; the current one is marked. With
	// fewer than two there is no switcher.
	Versions []NavVersion
	// Compare links to the comparison of the versions.
	Compare ui.Link
	// Overview links to the version page.
	Overview ui.Link
	// Errors links to the error codes, and Schemas to the schemas; each may be empty.
	Errors, Schemas ui.Link
	// Filter is what the groups are narrowed by. It is empty for all of them.
	Filter string
	Groups []NavGroup
}

// FilterName is the query parameter that narrows the navigation, and MaxFilter the
// length of its value, in bytes.
const (
	FilterName = "filter"
	MaxFilter  = 100
)

// label names the navigation for screen readers.
func (n Nav) label() string { return n.Product.Label + " " + n.Version }

// NavVersion links to the same page in a version of the product.
type NavVersion struct {
	ui.Link
	// Note tells that the version does not have the page.
	Note string
}

// NavGroup is one category of endpoints. Open groups show their links.
type NavGroup struct {
	Title string
	Open  bool
	Links []NavLink
	// All links to the endpoints of the group where Links are left out because
	// the version is large.
	All ui.Link
}

// NavLink links to an endpoint.
type NavLink struct {
	ui.Link
	// Method is the HTTP method in capitals.
	Method string
	// Path is the path of the API.
	Path       string
	Deprecated bool
	Beta       bool
	// Unserved marks an operation that nothing serves yet.
	Unserved bool
	// Examples links to the current page with each of its request examples.
	Examples []ui.Link
}

// Notice is the strip on pages of a version that readers should move away from.
type Notice struct {
	Tone ui.Tone
	// Title names the reason: "Version 2.0 is deprecated".
	Title string
	// Text gives the date: "It stops answering on 30 June 2027."
	Text string
	// Link links to the version to use instead.
	Link ui.Link
}

// Published is the release of the documentation on a page.
type Published struct {
	// On is the date as readers see it, "12 March 2026"; empty shows nothing.
	On string
	// ISO is the same instant in RFC 3339.
	ISO string
	// Release names the release: "release 3"; it may be empty.
	Release string
}

// ErrorPage explains an error and what to do about it.
type ErrorPage struct {
	layout.Page
	// Status is the HTTP status code, "404".
	Status  string
	Heading string
	Text    string
	// RequestID lets an operator find the request in the log; may be empty.
	RequestID string
	Actions   []ui.Link
	// Nearest are pages with similar names.
	Nearest []NavLink
}
