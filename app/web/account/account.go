// Package account answers the pages on which an organisation looks after
// itself: its keys, its messages, its callbacks and its people.
package account

import (
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps is what the handlers need.
type Deps struct {
	DB        db.Querier // read only
	Enrolment *identity.Enrolment
	Gate      *page.Gate // of the accounts
}

// Handlers answers the routes under /account.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }

// section is a part of the account, with its first page.
type section struct {
	label, href string
	roles       []string // who may open it, as the route table says
}

var members = []string{identity.Viewer, identity.Developer, identity.Owner}

// sections are the parts in the order of the navigation.
var sections = []section{
	{"Overview", "/account", members},
}

// roleNames are the roles as people read them.
var roleNames = map[string]string{identity.Owner: "Owner", identity.Developer: "Developer", identity.Viewer: "Viewer"}

// frame is what stands around a page with the title. current is the address
// of the section that it belongs to.
func frame(c echo.Context, title, current string) layout.Frame {
	user := page.User(c)
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – " + user.Organisation, HasNav: true, Account: ui.Link{Label: user.Name, Href: "/account"}},
		Area:    ui.Link{Label: user.Organisation, Href: "/account"},
		Heading: title, User: user.Name, Role: roleNames[user.Role], SignOut: "/logout", CSRF: page.Token(c),
	}
	if user.Name == "" {
		f.User, f.Account.Label = user.Email, user.Email
	}
	for _, s := range sections {
		if slices.Contains(s.roles, user.Role) {
			f.Sections = append(f.Sections, ui.Link{Label: s.label, Href: s.href, Current: s.href == current})
		}
	}
	return f
}
