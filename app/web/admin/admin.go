// Package admin answers the pages of the administration area.
package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/catalogue"
	"heliograph/app/contact"
	"heliograph/app/delivery"
	"heliograph/app/editorial"
	"heliograph/app/identity"
	"heliograph/app/limit"
	"heliograph/app/messaging"
	"heliograph/app/notification"
	"heliograph/app/queue"
	"heliograph/app/rcs"
	"heliograph/app/search"
	"heliograph/app/setting"
	"heliograph/app/sms"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps holds the dependencies of the handlers.
type Deps struct {
	DB        db.Querier // read only
	Directory *identity.Directory
	// Administrators manages the accounts of this area.
	Administrators *identity.Administrators
	Gate           *page.Gate
	Limiter        *limit.Limiter
	// Settings configures how Notifications sends SMS and emails.
	Settings      *setting.Settings
	Notifications *notification.Service
	PublicURL     string
	Production    bool // whether virtual delivery is a concern
	Words         *search.Synonyms
	Queues        *queue.Control
	SMS           *sms.Registry // what organisations may send
	Assets        *messaging.Assets
	RCS           *rcs.Service // bots and templates to review
	Suppressions  *delivery.Suppressions
	Carriers      *delivery.Carriers
	Signals       *db.Signals // notifies open pages; may be nil
	Contact       *contact.Service
	// Storage is the health of the file storage; may be nil.
	Storage interface{ Available() bool }
	// Retention is where times are saved and recipients erased.
	Retention db.Beginner
	// Documentation is where the rules of editing write.
	Documentation db.Beginner
	Scheduler     *editorial.Scheduler
	Catalogue     *catalogue.Catalogue
	// Reader makes the page at a path as readers would get it from a snapshot that
	// is not published.
	Reader func(r *http.Request, now *catalogue.Snapshot, path string) (page.View, error)
}

// Handlers answers the routes under /admin.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }

var (
	everybody = []string{identity.Viewer, identity.Editor, identity.SuperAdmin}
	writers   = []string{identity.Editor, identity.SuperAdmin}
	superiors = []string{identity.SuperAdmin}
)

// sections lists the sections in the order of the navigation.
var sections = []page.Section{
	{Label: "Overview", Href: "/admin", Roles: everybody},
	{Label: "Products", Href: productsPath, Roles: everybody},
	{Label: "Drafts and reviews", Href: draftsPath, Roles: everybody},
	{Label: "Organisations", Href: organisationsPath, Roles: everybody},
	{Label: "Contacts", Href: contactsPath, Roles: everybody},
	{Label: "Feedback", Href: feedbackPath, Roles: everybody},
	{Label: "Carriers", Href: carriersPath, Roles: everybody},
	{Label: "Bots", Href: botsPath, Roles: everybody},
	{Label: "Do not contact", Href: suppressionPath, Roles: everybody},
	{Label: "Messages", Href: messagesPath, Roles: superiors},
	{Label: "Users", Href: usersPath, Roles: superiors},
	{Label: "Retention", Href: retentionPath, Roles: superiors},
	{Label: "Synonyms", Href: synonymsPath, Roles: writers},
	{Label: "Audit", Href: auditPath, Roles: superiors},
	{Label: "Jobs", Href: jobsPath, Roles: superiors},
	{Label: "SMS settings", Href: smsSettingsPath, Roles: superiors},
	{Label: "Email settings", Href: emailSettingsPath, Roles: superiors},
	{Label: "Emails and codes", Href: notificationsPath, Roles: superiors},
	{Label: "Inbox", Href: inboxPath, Roles: superiors},
}

// frame returns the frame of a page with a title. current is the path of its
// section.
func frame(c echo.Context, title, current string) layout.Frame {
	user := page.User(c)
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – Administration", HasNav: true, Script: "js/editor.js", Account: ui.Link{Label: user.Name, Href: "/admin"}},
		Area:    ui.Link{Label: "Administration", Href: "/admin"},
		Heading: title, User: user.Name, Role: page.RoleNames[user.Role],
		Own: ui.Link{Label: "Password and sessions", Href: changePath}, Sections: page.Sections(sections, user, current), SignOut: "/admin/logout", CSRF: page.Token(c),
	}
	return f
}
