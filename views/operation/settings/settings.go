// Package settings renders the settings and their tests.
package settings

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// The regions of a page of settings.
const (
	settingsRegion ui.Region = "settings"
	trialRegion    ui.Region = "trial"
)

// SettingsPage shows the settings of how a kind of message is sent, a form that
// tests them, and the request that a provider receives.
type SettingsPage struct {
	layout.Frame
	Lead string
	// State is the present state, shown as a badge of Tone. Notes follow it.
	Tone         ui.Tone
	State, Notes string
	// Action is the address that the form is posted to.
	Action  string
	Problem string // with the form as a whole
	// Invalid holds the fields that must change.
	Invalid []ui.Input
	Groups  []SettingsGroup
	Save    string // label of the button
	Trial   Trial
	Guide   []Guide
}

// SettingsGroup is a group of fields under a heading. When is the mode that they
// apply to; empty is every mode.
type SettingsGroup struct {
	Title, Note, When string
	Fields            []templ.Component
}

// Trial is the form that sends a test, with the result of the last one.
type Trial struct {
	Action string
	Note   string
	To     ui.Input
	// Tone and Title are the result; without a title there is none. Remedy says
	// what to do, Next links to the place, and Answer is the provider's answer
	// under the heading Label. Each may be empty.
	Tone          ui.Tone
	Title, Remedy string
	Next          ui.Link
	Label, Answer string
}

// Guide shows a request that the provider receives.
type Guide struct {
	Title, Text string
	Code        ui.Code
}
