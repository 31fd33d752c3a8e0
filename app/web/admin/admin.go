// Package admin answers the pages of the administration area.
package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/delivery"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/queue"
	"heliograph/app/operation/setting"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/app/web/labels"
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
	Suppressions  *blocklist.Lists
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
	Catalogue     *published.Catalogue
	// Reader makes the page at a path as readers would get it from a snapshot that
	// is not published.
	Reader func(r *http.Request, now *published.Snapshot, path string) (page.View, error)
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
	{Label: "Products", Group: "Documentation", Href: productsPath, Roles: everybody},
	{Label: "Drafts and reviews", Group: "Documentation", Href: draftsPath, Roles: everybody},
	{Label: "Calendar", Group: "Documentation", Href: calendarPath, Roles: everybody},
	{Label: "Feedback", Group: "Documentation", Href: feedbackPath, Roles: everybody},
	{Label: "Synonyms", Group: "Documentation", Href: synonymsPath, Roles: writers},
	{Label: "Organisations", Group: "Partners", Href: organisationsPath, Roles: everybody},
	{Label: "Contacts", Group: "Partners", Href: contactsPath, Roles: everybody},
	{Label: "Bots", Group: "Partners", Href: botsPath, Roles: everybody},
	{Label: "Do not contact", Group: "Partners", Href: suppressionPath, Roles: everybody},
	{Label: "Messages", Group: "Delivery", Href: messagesPath, Roles: superiors},
	{Label: "Carriers", Group: "Delivery", Href: carriersPath, Roles: everybody},
	{Label: "SMS settings", Group: "Delivery", Href: smsSettingsPath, Roles: superiors},
	{Label: "Email settings", Group: "Delivery", Href: emailSettingsPath, Roles: superiors},
	{Label: "Emails and codes", Group: "Delivery", Href: notificationsPath, Roles: superiors},
	{Label: "Inbox", Group: "Delivery", Href: inboxPath, Roles: superiors},
	{Label: "Users", Group: "System", Href: usersPath, Roles: superiors},
	{Label: "Jobs", Group: "System", Href: jobsPath, Roles: superiors},
	{Label: "Retention", Group: "System", Href: retentionPath, Roles: superiors},
	{Label: "Audit", Group: "System", Href: auditPath, Roles: superiors},
}

// frame returns the frame of a page with a title. current is the path of its
// section.
func frame(c echo.Context, title, current string) layout.Frame {
	user := page.User(c)
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – Administration", HasNav: true, Script: "js/editor.js", Style: "css/editor.css", Account: ui.Link{Label: user.Name, Href: "/admin"}},
		Area:    ui.Link{Label: "Administration", Href: "/admin"},
		Heading: title, User: user.Name, Role: labels.Roles[user.Role],
		Own: ui.Link{Label: "Password and sessions", Href: changePath}, Sections: page.Sections(sections, user, current), SignOut: "/admin/logout", CSRF: page.Token(c),
	}
	return f
}
