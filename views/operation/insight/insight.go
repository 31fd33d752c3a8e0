// Package insight holds the pages of analytics.
package insight

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Page is a part of analytics.
type Page struct {
	layout.Frame
	Lead   string
	Filter ui.Filter
	// Parts link to the other parts of the same period and filter.
	Parts []ui.Link
	// Range is the period in words, and Earlier and Later lead to those beside it.
	Range          string
	Earlier, Later ui.Link
	Figures        []Figure
	Charts         []ui.Chart
	Drawn          ui.Link // to the numbers of the chart as a file
	Sections       []Section
	// Only says what is shown where it is one page alone, with the way back.
	Only string
	All  ui.Link
}

// Figure is a number with what it was before, and a link to what it counts.
type Figure struct {
	Label, Value, Note, Link string
}

// Section is a table with a heading, and a file of all of its rows.
type Section struct {
	ID, Title, Note string
	Table           ui.Table
	Empty           string
	File            ui.Link
}
