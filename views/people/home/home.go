// Package home renders the first page of an account.
package home

import (
	"github.com/a-h/templ"

	"heliograph/views/channels/traffic"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// HomePage is the account's first page.
type HomePage struct {
	layout.Frame
	// Unreachable says that the user has no mobile number.
	Unreachable bool
	// Start shows the steps to the first callback; nil when all are done.
	Start *Start
	// Figures and Latest, the newest messages, are refreshed by Live.
	Figures []Figure
	Latest  ui.Table
	Live    templ.Attributes
	// Log links to all messages; it may be missing.
	Log ui.Link
	// Traffic is what was sent and refused in the last days; nil for nothing.
	Traffic *traffic.Section
	// Facts are the ids and the URL that requests need.
	Facts []ui.Pair
	// Recipients explains the test recipients of a sandbox; others have none.
	Recipients ui.Table
}

// Figure is a number with its name. Href links to the page of what is counted.
type Figure struct {
	Number, Name, Href string
	Tone               ui.Tone
}
