// Package login holds the sign-in form.
package login

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Page is the sign-in form of an area.
type Page struct {
	layout.Page
	Heading string
	// Action is the address that the form is posted to, CSRF its token, and Next
	// the local address to open after signing in; it may be empty.
	Action string
	CSRF   string
	Next   string
	Email  ui.Input
	// Password never has a value.
	Password ui.Input
	// Problem is a problem of the whole form, such as wrong credentials; empty if
	// there is none.
	Problem string
	// Forgot links to the page for forgotten passwords.
	Forgot ui.Link
	// Register links to the page for a new account, where that is possible.
	Register ui.Link
}
