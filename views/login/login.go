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
	// Action is where the form is posted, CSRF the token of its hidden field,
	// Next the local address to go on to, or empty.
	Action string
	CSRF   string
	Next   string
	Email  ui.Input
	// Password never carries a value back.
	Password ui.Input
	// Problem says what is wrong with the attempt as a whole: a wrong pair, a
	// locked account. Empty when nothing is.
	Problem string
	// Forgot leads to resetting a password.
	Forgot ui.Link
	// Register leads to making an account; none where that is not possible.
	Register ui.Link
}
