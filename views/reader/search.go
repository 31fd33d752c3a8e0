package reader

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// SearchPage is the whole search on a page of its own: form, filters, results.
type SearchPage struct {
	layout.Page
	Query string
	// Hidden are the active filters, which are sent with the next query.
	Hidden []ui.Link // Label is the name of the parameter, Href its value
	// Filters narrow the results. Filters with fewer than two choices are left
	// out.
	Filters []SearchFilter
	// Problem tells what to change about the query; it may be empty.
	Problem string
	Found   SearchResults
}

// SearchFilter is a filter of the results, with the chosen link marked.
type SearchFilter struct {
	Label   string
	Choices []ui.Link
}

// SearchResults are the results, for the page and for the dialog.
type SearchResults struct {
	// Status counts the results in words.
	Status string
	// Corrected is the corrected spelling that the results are for; it may be
	// empty.
	Corrected string
	Groups    []SearchGroup
	// Nothing tells that there are no results, and Next links to suggestions.
	Nothing string
	Next    ui.Link
	// Widened says that filters were given up, and Starts that there is no query: the
	// results are places to start. Only the dialog shows either.
	Widened, Starts bool
	// Ask links to the form for questions, where nothing is found.
	Ask ui.Link
}

// SearchGroup is a group of results.
type SearchGroup struct {
	ID    string
	Title string
	Hits  []SearchHit
	// More links to all results of the kind; the zero Link when these are all.
	More ui.Link
}

// SearchHit is one result.
type SearchHit struct {
	Href string
	// Method is the HTTP method of an endpoint, and Kind the kind of any other
	// result.
	Method     string
	Kind       string
	Title      []TextPart
	Mono       bool // the title is a name as it is sent
	Breadcrumb []string
	Path       string
	Snippet    []TextPart
	Twins      string // how many other places say the same; may be empty
	Deprecated bool
	Unserved   bool // nothing serves it yet
}

// TextPart is a part of a text, marked where it matches the query.
type TextPart struct {
	Text   string
	Marked bool
}
