package home

import (
	"net/url"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// Start holds the first steps of a new organisation: a key, a message, a callback.
type Start struct {
	Steps []Step
}

// Step is one step of a Start.
type Step struct {
	// ID is unique. A step is refreshed when its State has changed.
	ID, State string
	Title     string
	Stage     Stage
	// Text says what to do, or the result.
	Text string
	// Secret is a key that was just created. It is shown once.
	Secret ui.Code
	// Action is a button, Next has links and Code a command; each may be missing.
	Action ui.Post
	Next   []ui.Link
	Code   ui.Code
}

// Seen returns the step of a region, if the region belongs to a step.
func (s *Start) Seen(region ui.Region) (Step, bool) {
	for _, step := range s.Steps {
		if ui.Live.Of(step.ID) == region {
			return step, true
		}
	}
	return Step{}, false
}

// live refreshes the step when something changes that it depends on. The response
// is empty if the state is the one that is shown, so that a new key stays visible.
func (s Step) live() templ.Attributes {
	return ui.Refresh(ui.Live.Of(s.ID), "/account?seen="+url.QueryEscape(s.State), "messages", "callbacks", "keys", "webhooks")
}

// Stage is the progress of a step.
type Stage string

// The stages of a step.
const (
	Done  Stage = "lit"
	Now   Stage = "next"
	Later Stage = "later"
)

// Word names the stage for screen readers.
func (s Stage) Word() string {
	return map[Stage]string{Done: "Done", Now: "Next", Later: "Later"}[s]
}
