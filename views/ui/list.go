package ui

import (
	"strings"

	"github.com/a-h/templ"
)

// Rest is the rest of a list that is shown in pages. The zero Rest is for a table
// that is shown whole.
type Rest struct {
	// Link appends the next rows; it is missing at the end.
	Link Link
	// Pages is the number of pages that are shown.
	Pages int
	// Appended marks rows that are appended to others: the first of them takes
	// the focus.
	Appended bool
}

// Ask is an action that asks for confirmation, on a page of its own or in a
// region of the page that the action stands on.
type Ask struct {
	Link Link // to the page that asks
	// Object completes the label for screen readers; it may be empty.
	Object string
	// Region is where the confirmation opens.
	Region Region
	Kind   ButtonKind // Plain when it is empty
	Small  bool
}

// sortID lets the focus return to the link after the list was sorted.
func (c Column) sortID() string {
	return "sort-" + strings.ReplaceAll(strings.ToLower(c.Label), " ", "-")
}

// focused puts the focus on the first of the rows that are appended.
func (t Table) focused(row int) templ.Attributes {
	if !t.Rest.Appended || row > 0 {
		return nil
	}
	return templ.Attributes{"tabindex": "-1", "autofocus": true}
}
