// Package account holds the pages of an organisation.
package account

import (
	"net/url"
	"slices"

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

// KeysPage lists API keys.
type KeysPage struct {
	layout.Frame
	// Created is a key that was just created. It is shown once.
	Created ui.Code
	Keys    ui.Table
	// Form creates a key; nil if the user may not, or if Full says why no key can
	// be created.
	Form *KeyForm
	Full string
	// Docs links to the documentation of keys.
	Docs ui.Link
}

// KeyForm creates an API key.
type KeyForm struct {
	Name     ui.Input
	Channels ui.Checks
	Problem  string
	CSRF     string
}

// isWrong reports whether the form was sent with a mistake.
func (f *KeyForm) isWrong() bool { return f.Problem != "" || ui.AnyWrong(f.Name, f.Channels.Input()) }

// TeamPage lists colleagues and invitations.
type TeamPage struct {
	layout.Frame
	Colleagues  ui.Table
	Invitations ui.Table
	Email       ui.Input
	Role        ui.Select
	Problem     string
}

// ColleaguePage changes the role and access of a colleague.
type ColleaguePage struct {
	layout.Frame
	Facts   []ui.Pair
	Problem string
	// RoleAction is the address that a role is posted to.
	RoleAction string
	Role       ui.Select
	// Actions need no confirmation. Deactivate is empty for an inactive colleague.
	Actions            []ui.Post
	ActivityText       string
	Deactivate, Remove ui.Ask
}

// ProfilePage shows the user's own account.
type ProfilePage struct {
	layout.Frame
	Forms    []Form
	Sessions ui.Table
	// EndOthers ends every other session; nil if there is none.
	EndOthers *ui.Post
}

// Form is a small form with a heading.
type Form struct {
	// ID is unique on the page; Title heads the form.
	ID, Title, Text string
	Action, Label   string
	Inputs          []ui.Input
	Problem         string
	CSRF            string
	// Username is the account, if the form asks for its password; empty if it asks
	// for none.
	Username string
	// Warning is shown while the form has no problem.
	Warning string
}

func (f Form) wrong() bool {
	return f.Problem != "" || slices.ContainsFunc(f.Inputs, func(in ui.Input) bool { return in.Error != "" })
}

// ResetLinkPage sets a new password by a link from an email.
type ResetLinkPage struct {
	layout.Page
	Heading, Lead                       string
	Action, Email, Token, CSRF, Problem string
	Inputs                              []ui.Input // none if there is nothing to set
}

// InvitationPage accepts an invitation.
type InvitationPage struct {
	layout.Page
	Organisation, Role, Email string
	Token, CSRF               string
	Inputs                    []ui.Input
	Problem                   string
}
