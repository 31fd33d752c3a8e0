// Package desk holds parts of the pages on which documentation is written and
// reviewed: what the checks found, and the calendar of releases.
package desk

import (
	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// QualityRegion holds what the checks found in a draft.
const QualityRegion = ui.Region("quality")

// Quality is what the checks found in a draft or a change set. The zero Quality shows
// nothing.
type Quality struct {
	Title string
	// State says when that was found, or that it is being found now.
	State    string
	Findings []Finding
	More     string           // how many are not shown
	Live     templ.Attributes // refreshes it; nil is never
	// IsUntitled leaves the heading to the page.
	IsUntitled bool
}

// Finding is what a check found.
type Finding struct {
	Tone  ui.Tone
	Level string // in a word
	Check string // its label
	Text  string
	Place ui.Link // to the field
}
