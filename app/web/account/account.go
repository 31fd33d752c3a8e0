// Package account answers the pages on which an organisation looks after
// itself: its keys, its messages, its callbacks and its people.
package account

import (
	"heliograph/app/identity"
	"heliograph/db"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps is what the handlers need.
type Deps struct {
	DB db.Querier // read only
}

// Handlers answers the routes under /account.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }

// frame is the frame of a page with the title; user may be nil.
func frame(title string, user *identity.User) layout.Page {
	p := layout.Page{Title: title}
	if user != nil {
		p.Title += " – " + user.Organisation
		p.Account = ui.Link{Label: user.Organisation, Href: "/account"}
	}
	return p
}
