package admin

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// SettingsPage shows settings of delivery, a way to test them, and what they
// mean to the provider.
type SettingsPage struct {
	layout.Frame
	Lead string
	// State says how things stand, with a badge of Tone before it.
	Tone         ui.Tone
	State, Notes string
	// Action is where the form is posted.
	Action  string
	Problem string // with the form as a whole
	// Invalid are the fields that must change.
	Invalid []ui.Input
	Groups  []SettingsGroup
	Save    string // what the button says
	Trial   Trial
	Guide   []Guide
}

// SettingsGroup is some fields under a heading. When is the mode that they
// matter in; empty is every mode.
type SettingsGroup struct {
	Title, Note, When string
	Fields            []templ.Component
}

// Trial is the form that sends a test, and what came of the last one.
type Trial struct {
	Action string
	Note   string
	To     ui.Input
	// Tone and Title are the outcome, an empty title is none. Remedy says what
	// to do, Next where, Answer what was said, headed by Label; each may be empty.
	Tone          ui.Tone
	Title, Remedy string
	Next          ui.Link
	Label, Answer string
}

// Guide is what a request to the provider looks like.
type Guide struct {
	Title, Text string
	Code        ui.Code
}
