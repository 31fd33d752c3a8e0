// Package profile renders what a user changes about their sign-in.
package profile

import (
	"slices"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

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
