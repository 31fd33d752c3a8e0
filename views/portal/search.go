package portal

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// SearchPage is the whole search on a page of its own: form, filters, results.
type SearchPage struct {
	layout.Page
	Query string
	// Hidden are the filters that are set, to be sent with another query.
	Hidden []ui.Link // Label is the name of the parameter, Href its value
	// Filters narrow the results; those with fewer than two choices are left
	// out.
	Filters []SearchFilter
	// Problem says what to change about the query; empty when it was answered.
	Problem string
	Found   SearchResults
}

// SearchFilter is one way to narrow the results, with the chosen link marked.
type SearchFilter struct {
	Label   string
	Choices []ui.Link
}

// SearchResults is what was found, for the page and for the dialog.
type SearchResults struct {
	// Status counts the results in words.
	Status string
	// Corrected is the spelling that the results are for; empty for the one
	// that was asked.
	Corrected string
	Groups    []SearchGroup
	// Nothing says that there are no results, and Next leads to more.
	Nothing string
	Next    ui.Link
}

// SearchGroup is results under one heading.
type SearchGroup struct {
	ID    string
	Title string
	Hits  []SearchHit
	// More leads to all results of the kind; the zero Link when these are all.
	More ui.Link
}

// SearchHit is one result.
type SearchHit struct {
	Href string
	// Method is the HTTP method of an endpoint, and Kind the word for anything
	// else.
	Method     string
	Kind       string
	Title      []TextPart
	Mono       bool // the title is a name as it is sent
	Breadcrumb []string
	Path       string
	Snippet    []TextPart
	Deprecated bool
}

// TextPart is a stretch of text, marked where it matches the query.
type TextPart struct {
	Text   string
	Marked bool
}
