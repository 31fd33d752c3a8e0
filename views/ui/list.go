package ui

import (
	"cmp"
	"strings"

	"github.com/a-h/templ"
)

// Listing is a table with its filter, its counts and the way to its other pages.
type Listing struct {
	Filter Filter
	// Problem says that the filter is wrong. Its fields say why.
	Problem string
	// Summary says how many rows are shown. Links follow it, such as one to a file
	// of the same rows.
	Summary string
	Links   []Link
	// Save leads to the form that keeps the filter under a name; it is missing
	// without a filter, or where filters cannot be kept.
	Save  Link
	Table Table
	// First shows the list from its beginning; it is missing there.
	First Link
	// Empty is shown if the table has no rows.
	Empty EmptyState
	// Live refreshes the list when it changes; nil is never.
	Live templ.Attributes
}

// Announcement is what screen readers say when the list is replaced: how many rows
// it has, or why it has none.
func (l Listing) Announcement() string {
	switch {
	case l.Problem != "":
		return l.Problem
	case len(l.Table.Rows) == 0 && l.Table.Rest.Link.Exists():
		return l.Table.Rest.Note
	}
	return cmp.Or(l.Summary, l.Empty.Title)
}

// EmptyState explains why a list has no rows and offers one next step.
type EmptyState struct {
	Title, Text string
	Next        Link
}

// Reject shows what is wrong with the filter of a list. fields holds the messages
// by the names of the fields.
func (l *Listing) Reject(fields map[string]string) {
	l.Problem = "The filter is not valid. Change the marked fields."
	l.Filter.Region = Filtered // its fields change with the answer
	for i, in := range l.Filter.Inputs {
		l.Filter.Inputs[i].Error = fields[in.Name]
	}
	for i, in := range l.Filter.Times {
		l.Filter.Times[i].Error = fields[in.Name]
	}
	for i, s := range l.Filter.Selects {
		l.Filter.Selects[i].Error = fields[s.Name]
	}
}

// Rest is the rest of a list that is shown in pages. The zero Rest is for a table
// that is shown whole.
type Rest struct {
	// Link appends the next rows; it is missing at the end.
	Link Link
	// Note stands beside the link, for example how far back a search has looked.
	Note string
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

// Question asks for confirmation before an action.
type Question struct {
	// Region is where the question opens on the page of the action, and InPlace is
	// true there: Back then closes it.
	Region  Region
	InPlace bool
	Text    string
	Facts   []Pair
	Action  Post
	Back    Link
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
