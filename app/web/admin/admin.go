// Package admin answers the pages of the administration area.
package admin

import (
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/identity"
	"heliograph/app/limit"
	"heliograph/app/notification"
	"heliograph/app/queue"
	"heliograph/app/search"
	"heliograph/app/setting"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps is what the handlers need.
type Deps struct {
	DB        db.Querier // read only
	Directory *identity.Directory
	// Administrators manages the accounts of this area.
	Administrators *identity.Administrators
	Gate           *page.Gate
	Limiter        *limit.Limiter
	// Settings say how SMS and emails are sent, Notifications sends them.
	Settings      *setting.Settings
	Notifications *notification.Service
	PublicURL     string
	Words         *search.Synonyms
	Queues        *queue.Control
}

// Handlers answers the routes under /admin.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }

// section is a part of the administration, with its first page.
type section struct {
	label, href string
	roles       []string // who may open it, as the route table says
}

var (
	everybody = []string{identity.Viewer, identity.Editor, identity.SuperAdmin}
	writers   = []string{identity.Editor, identity.SuperAdmin}
	superiors = []string{identity.SuperAdmin}
)

// sections are the parts in the order of the navigation.
var sections = []section{
	{"Overview", "/admin", everybody},
	{"Organisations", organisationsPath, everybody},
	{"Users", usersPath, superiors},
	{"Synonyms", synonymsPath, writers},
	{"Audit", auditPath, superiors},
	{"Jobs", jobsPath, superiors},
	{"SMS settings", smsSettingsPath, superiors},
	{"Email settings", emailSettingsPath, superiors},
	{"Inbox", inboxPath, superiors},
}

// roleNames are the roles as people read them.
var roleNames = map[string]string{identity.SuperAdmin: "Super Admin", identity.Editor: "Editor", identity.Viewer: "Viewer"}

// frame is what stands around a page with the title. current is the address
// of the section that it belongs to.
func frame(c echo.Context, title, current string) layout.Frame {
	user := page.User(c)
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – Administration", HasNav: true, Account: ui.Link{Label: user.Name, Href: "/admin"}},
		Area:    ui.Link{Label: "Administration", Href: "/admin"},
		Heading: title, User: user.Name, Role: roleNames[user.Role],
		Own: ui.Link{Label: "Change password", Href: changePath}, SignOut: "/admin/logout", CSRF: page.Token(c),
	}
	for _, s := range sections {
		if slices.Contains(s.roles, user.Role) {
			f.Sections = append(f.Sections, ui.Link{Label: s.label, Href: s.href, Current: s.href == current})
		}
	}
	return f
}
