package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Frame is what every page of the administration has around it.
type Frame struct {
	layout.Page
	Heading string
	// Up leads to the list that the page belongs to.
	Up ui.Link
	// Done says what was just done, after a form did its work.
	Done string
	// Sections are the parts of the administration that the role may open.
	Sections []ui.Link
	// User and Role say who is signed in; CSRF is the token of every form.
	User, Role, CSRF string
}
