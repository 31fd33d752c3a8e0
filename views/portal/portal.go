// Package portal holds the reading pages: home, product, version, endpoint and
// errors. Each page is a struct of strings ready to display and a component of
// the same noun that shows it.
package portal

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Nav is the navigation of one version, shown beside all of its pages.
type Nav struct {
	Product ui.Link
	Version string
	// Lifecycle is the version's stage.
	Lifecycle ui.Lifecycle
	// Versions lead to the product's versions, this one marked current. With
	// fewer than two no switcher is shown.
	Versions []NavVersion
	// Overview leads to the version page.
	Overview ui.Link
	Groups   []NavGroup
}

// label names the navigation to screen readers.
func (n Nav) label() string { return n.Product.Label + " " + n.Version }

// NavVersion leads to the same page in a version of the product.
type NavVersion struct {
	ui.Link
	// Note says so where the version does not have the page.
	Note string
}

// NavGroup is one category of endpoints. Open groups show their links.
type NavGroup struct {
	Title string
	Open  bool
	Links []NavLink
	// All leads to the endpoints of the group where Links are left out, because
	// the version is large.
	All ui.Link
}

// NavLink leads to an endpoint.
type NavLink struct {
	ui.Link
	// Method is the HTTP method in capitals.
	Method string
	// Path is that of the API, which readers filter by.
	Path       string
	Deprecated bool
	Beta       bool
}

// Notice is the strip on pages of a version, or an endpoint, that readers
// should move away from.
type Notice struct {
	Tone ui.Tone
	// Title says what is the matter: "Version 2.0 is deprecated".
	Title string
	// Text says what happens when: "It stops answering on 30 June 2027."
	Text string
	// Link leads to what to use instead.
	Link ui.Link
}

// Published says when the documentation on a page went public.
type Published struct {
	// On is the date as readers see it, "12 March 2026"; empty shows nothing.
	On string
	// ISO is the same instant in RFC 3339.
	ISO string
	// Release names what it was part of: "release 3"; may be empty.
	Release string
}

// ErrorPage says what went wrong and what to do about it.
type ErrorPage struct {
	layout.Page
	// Status is the HTTP status code, "404".
	Status  string
	Heading string
	Text    string
	// RequestID lets an operator find the request in the log; may be empty.
	RequestID string
	Actions   []ui.Link
	// Nearest are pages whose names are like the one in the address.
	Nearest []NavLink
}
