// Package account holds the pages on which an organisation looks after itself.
package account

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// HomePage is the account's first page.
type HomePage struct {
	layout.Frame
	// Unreachable says that the user has no mobile number.
	Unreachable bool
	// Start leads to the first callback; nil once that is done.
	Start *Start
	// Figures say how things stand, Latest are the newest messages.
	Figures []Figure
	Latest  ui.Table
	// Log leads to all messages; none where nobody can see them.
	Log ui.Link
	// Facts are what requests are made with.
	Facts []ui.Pair
	// Recipients say what happens to messages by their last digits; empty where
	// messages go out for real.
	Recipients ui.Table
}

// Figure is a number with its name. Href leads to what is counted.
type Figure struct {
	Number, Name, Href string
	Tone               ui.Tone
}

// Start is the way of a new organisation: a key, a message, a callback.
type Start struct {
	Steps []Step
}

// Step is one step of a Start.
type Step struct {
	// ID is unique and stays: the page renews a step when its State changed.
	ID, State string
	Title     string
	Stage     Stage
	// Text says what to do, or what was done.
	Text string
	// Secret is a key just made, shown this once.
	Secret ui.Code
	// Action is a button, Next a place to go, Code something to run; each may be
	// missing.
	Action ui.Post
	Next   []ui.Link
	Code   ui.Code
}

// Seen returns the step that a region shows, if it is one of a step.
func (s *Start) Seen(region ui.Region) (Step, bool) {
	for _, step := range s.Steps {
		if ui.Live.Of(step.ID) == region {
			return step, true
		}
	}
	return Step{}, false
}

// live refreshes the step when something that it waits for happens. The answer
// is empty while the state is the one that is shown, so that a key stays that is
// shown once.
func (s Step) live() templ.Attributes {
	return ui.Refresh(ui.Live.Of(s.ID), "/account?seen="+url.QueryEscape(s.State), "messages", "callbacks", "keys", "webhooks")
}

// Stage is how far a step is.
type Stage string

// The stages of a step.
const (
	Done  Stage = "lit"
	Now   Stage = "next"
	Later Stage = "later"
)

// Word says the stage to who cannot see it.
func (s Stage) Word() string {
	return map[Stage]string{Done: "Done", Now: "Next", Later: "Later"}[s]
}

// KeysPage lists API keys.
type KeysPage struct {
	layout.Frame
	// Created is a key just made, shown this once; empty otherwise.
	Created ui.Code
	Keys    ui.Table
	// Form makes another key; nil where the role does not allow it, or where
	// Full says why none can be made.
	Form *KeyForm
	Full string
	// Docs says how a key is sent.
	Docs ui.Link
}

// KeyForm makes an API key.
type KeyForm struct {
	Name     ui.Input
	Channels ui.Checks
	Problem  string
	CSRF     string
}

// ConfirmPage asks once more before something that cannot be taken back.
type ConfirmPage struct {
	layout.Frame
	Text   string
	Facts  []ui.Pair
	Action ui.Post
	Back   ui.Link
	// Problem says why it was not done.
	Problem string
}

// TeamPage lists colleagues and invitations.
type TeamPage struct {
	layout.Frame
	Colleagues  ui.Table
	Invitations ui.Table
	Email       ui.Input
	Role        ui.Select
	Problem     string
}

// ColleaguePage changes one colleague.
type ColleaguePage struct {
	layout.Frame
	Facts   []ui.Pair
	Problem string
	// RoleAction is where another role is posted.
	RoleAction string
	Role       ui.Select
	// Activity lets the colleague in or keeps them out, as ActivityText says.
	Activity     ui.Post
	ActivityText string
	Remove       ui.Link
}

// ProfilePage is what users see of themselves.
type ProfilePage struct {
	layout.Frame
	Forms    []Form
	Sessions ui.Table
	// EndOthers ends every other session; nil where there is none.
	EndOthers *ui.Post
}

// Form is a small form with a heading of its own.
type Form struct {
	// ID is unique on the page; Title heads the form.
	ID, Title, Text string
	Action, Label   string
	Inputs          []ui.Input
	Problem         string
	CSRF            string
	// Username is whose password the form asks for; empty where it asks for none.
	Username string
	// Warning says what is missing now, as long as nothing is wrong.
	Warning string
}

func (f Form) wrong() bool {
	return f.Problem != "" || slices.ContainsFunc(f.Inputs, func(in ui.Input) bool { return in.Error != "" })
}

// InvitationPage accepts an invitation.
type InvitationPage struct {
	layout.Page
	Organisation, Role, Email string
	Token, CSRF               string
	Inputs                    []ui.Input
	Problem                   string
}
