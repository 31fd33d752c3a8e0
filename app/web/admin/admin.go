// Package admin answers the pages of the administration area.
package admin

import (
	"heliograph/app/identity"
	"heliograph/app/limit"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps is what the handlers need.
type Deps struct {
	DB        db.Querier // read only
	Directory *identity.Directory
	Gate      *page.Gate
	Limiter   *limit.Limiter
}

// Handlers answers the routes under /admin.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }

// frame is the frame of a page with the title; admin may be nil.
func frame(title string, admin *identity.User) layout.Page {
	p := layout.Page{Title: title + " – Administration"}
	if admin != nil {
		p.Account = ui.Link{Label: admin.Name, Href: "/admin"}
	}
	return p
}
