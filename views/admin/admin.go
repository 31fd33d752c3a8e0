// Package admin holds the pages of the administration area.
package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// LoginPage is the sign-in form.
type LoginPage struct {
	layout.Page
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
}

// HomePage is the administration's first page.
type HomePage struct {
	layout.Page
	Heading string
	Lead    string
	Cards   []Card
	// SignOut is where the sign-out form is posted, with the CSRF token.
	SignOut string
	CSRF    string
}

// Card is a heading with facts and one place to go.
type Card struct {
	Title string
	Facts []ui.Pair
	Link  ui.Link
}
