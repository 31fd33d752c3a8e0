// Package logs renders the logs of messages and callbacks, and usage.
package logs

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// LogPage is the log of messages or of callbacks.
type LogPage struct {
	layout.Frame
	Lead string
	// State is the progress of what the log lists, and Next has actions for it;
	// both may be missing.
	State *State
	Next  []ui.Link
	List  ui.Listing
}

// State is a state with a sentence that explains it.
type State struct {
	Tone  ui.Tone
	Label string
	Note  string
}

// Cause is the cause of a failure and its remedy. Next may be missing.
type Cause struct {
	Title, Text, Remedy string
	Next                ui.Link
}

// MessagePage is the history of one message.
type MessagePage struct {
	layout.Frame
	// Region is the region of the details, which also open in a row of the list.
	// Open links to the page from there.
	Region      ui.Region
	Open        ui.Link
	Live        templ.Attributes // refreshes the page
	State       State
	Cause       *Cause // of a failure
	Facts       []ui.Pair
	Events      ui.Table
	Callbacks   ui.Table
	NoCallbacks string // explains why there are none
	Payload     ui.Code
	PayloadNote string
}

// DeliveryPage is one callback with its attempts.
type DeliveryPage struct {
	layout.Frame
	// Region is the region of the details, which also open in a row of the list.
	// Open links to the page from there.
	Region   ui.Region
	Open     ui.Link
	Live     templ.Attributes // refreshes the page
	Problem  string
	State    State
	Cause    *Cause // of an attempt that failed, until one succeeds
	Facts    []ui.Pair
	Replay   *ui.Post
	Attempts []Attempt
	Body     ui.Code
}

// Attempt is one attempt at a callback.
type Attempt struct {
	Heading  string
	Status   string // of the response, or empty
	Open     bool
	Facts    []ui.Pair
	Request  ui.Code
	Response ui.Code
}

// UsagePage shows the messages of the last days.
type UsagePage struct {
	layout.Frame
	Lead   string
	Live   templ.Attributes // refreshes the figures
	Totals []ui.Pair
	Chart  ui.Chart
}
