package reader

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// ErrorsPage lists the error codes of a version.
type ErrorsPage struct {
	layout.Page
	Nav       Nav
	Notice    Notice
	Find      string // what the entries were filtered by
	Entries   []ErrorEntry
	Published Published
}

// ErrorEntry is one error code. ID is its anchor.
type ErrorEntry struct {
	ID, Code string
	Meaning  string
	// Cases describe when it happens.
	Cases  []string
	Remedy ui.HTML
	// Retry describes whether and when to send the request again.
	Retry      string
	Operations []ErrorOperation
}

// ErrorOperation is an operation that answers an error, with the HTTP statuses.
type ErrorOperation struct {
	ui.Link
	Statuses []string
}

// operationsShown is how many operations of an error are listed without a
// disclosure.
const operationsShown = 6
