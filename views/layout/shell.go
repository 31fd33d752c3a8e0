package layout

import "heliograph/views/ui"

// Frame is what every page of an area that people sign in to has around it.
type Frame struct {
	Page
	// Area names the area and leads to its first page.
	Area    ui.Link
	Heading string
	// Up leads to the list that the page belongs to.
	Up ui.Link
	// Sections are the parts of the area that the role may open.
	Sections []ui.Link
	// User and Role say who is signed in, and Own leads to what only concerns
	// them. SignOut is where signing out is posted, CSRF the token of every form.
	User, Role    string
	Own           ui.Link
	SignOut, CSRF string
}
