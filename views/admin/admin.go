// Package admin holds the pages of the administration area.
package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// HomePage is the administration's first page.
type HomePage struct {
	layout.Frame
	Cards []Card
}

// Card is a heading with facts and one place to go.
type Card struct {
	Title string
	Facts []ui.Pair
	Link  ui.Link
}
