// Package admin holds the pages of the administration area.
package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// HomePage is the administration's first page.
type HomePage struct {
	layout.Frame
	// Concerns need attention, the worst first; none means that all is well.
	Concerns []Concern
	Cards    []Card
}

// Concern is something that somebody should look at, and where.
type Concern struct {
	Tone ui.Tone
	Kind string // what it is about, in a word
	Text string
	Link ui.Link
}

// Card is a heading with facts and one place to go.
type Card struct {
	Title string
	Facts []ui.Pair
	Link  ui.Link
}
