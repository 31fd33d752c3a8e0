package layout

import (
	"slices"

	"heliograph/views/ui"
)

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
	// User and Role describe the signed-in user, and Own links to the own
	// account. SignOut is the address that signs out, CSRF the token of every form.
	User, Role    string
	Own           ui.Link
	SignOut, CSRF string
	// Tutor is the next step of the editor's tutor, nil on most pages.
	Tutor *Tutor
}

// Under returns the frame with the page that it belongs to.
func (f Frame) Under(label, address string) Frame {
	f.Up = ui.Link{Label: label, Href: address}
	return f
}

// mostOpen is how many sections an area shows before its groups fold.
const mostOpen = 20

// folds reports whether the groups of the sections fold, because there are many.
func (f Frame) folds() bool {
	n := 0
	for _, g := range f.Sections {
		n += len(g.Links)
	}
	return n > mostOpen
}

// opens reports whether a group is open: the one with the current section, or the first
// one with a heading where no other has it.
func (f Frame) opens(group ui.LinkGroup) bool {
	isCurrent := func(g ui.LinkGroup) bool {
		return slices.ContainsFunc(g.Links, func(l ui.Link) bool { return l.Current })
	}
	var open string
	for _, g := range f.Sections {
		if g.Label != "" && (open == "" || isCurrent(g)) {
			open = g.Label
		}
	}
	return group.Label == open
}
