// Package overview renders the first page of the administration.
package overview

import (
	"github.com/a-h/templ"

	"heliograph/views/channels/traffic"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// HomePage is the administration's first page.
type HomePage struct {
	layout.Frame
	// Trend is what was read lately, and Analytics leads to more of it.
	Trend     ui.Chart
	Analytics ui.Link
	// Concerns need attention, the worst first. There may be none.
	Concerns []Concern
	// First leads to the first step of an empty portal; missing where there is a product.
	First ui.Link
	// Work holds the lists of the user.
	Work []Work
	// Cards are the figures of the system, for Super Admins.
	Cards []Card
	// Traffic is what was sent and refused in the last days, for Super Admins.
	Traffic *traffic.Section
	// Live refreshes concerns and cards when something changes.
	Live templ.Attributes
}

// Work is a list on the overview, with what it says where it is empty.
type Work struct {
	Title, Empty string
	Entries      []WorkEntry
	All          ui.Link
}

// WorkEntry is something to go on with.
type WorkEntry struct {
	ui.Link
	Mark    ui.Mark
	Note    string
	Blocked string // by what checks found
}

// Concern is a problem that needs attention, with a link to its page.
type Concern struct {
	Tone ui.Tone
	Kind string // one word for the part of the system
	Text string
	Link ui.Link
}

// Card is a heading with facts and a link.
type Card struct {
	Title string
	Facts []ui.Pair
	Link  ui.Link
}
