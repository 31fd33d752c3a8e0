package layout

import "heliograph/views/ui"

// Frame is the frame of a page of the account or the administration.
type Frame struct {
	Page
	// Area links to the first page of the area.
	Area    ui.Link
	Heading string
	// Up links to the list that the page belongs to.
	Up ui.Link
	// Sections are the parts of the area that the role may open.
	Sections []ui.LinkGroup
	// User and Role are those of the signed-in user, and Own links to the own
	// account. SignOut is the address that signs out, CSRF the token of every form.
	User, Role    string
	Own           ui.Link
	SignOut, CSRF string
	// Tutor is the next step of the editor's tutor, nil on most pages.
	Tutor *Tutor
}
