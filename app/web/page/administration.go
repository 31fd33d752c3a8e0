package page

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

var (
	everybody = []string{identity.Viewer, identity.Editor, identity.SuperAdmin}
	writers   = []string{identity.Editor, identity.SuperAdmin}
	superiors = []string{identity.SuperAdmin}
)

// The addresses of sections that pages of other sections lead to.
const (
	AuditPath         = "/admin/audit"
	BotsPath          = "/admin/bots"
	CalendarPath      = "/admin/calendar"
	CarriersPath      = "/admin/carriers"
	ContactsPath      = "/admin/contacts"
	DraftsPath        = "/admin/drafts_and_reviews"
	EmailSettingsPath = "/admin/email-settings"
	FeedbackPath      = "/admin/feedback"
	InboxPath         = "/admin/inbox"
	JobsPath          = "/admin/jobs"
	MessagesPath      = "/admin/messages"
	NotificationsPath = "/admin/notifications"
	OrganisationsPath = "/admin/organisations"
	ProductsPath      = "/admin/products"
	RetentionPath     = "/admin/retention"
	SMSSettingsPath   = "/admin/sms-settings"
	SuppressionsPath  = "/admin/do-not-contact"
	SynonymsPath      = "/admin/synonyms"
	UsersPath         = "/admin/users"
)

// AdministrationSections lists the sections of the administration in the order of
// the navigation.
var AdministrationSections = []Section{
	{Label: "Overview", Href: "/admin", Roles: everybody},
	{Label: "Products", Group: "Documentation", Href: ProductsPath, Roles: everybody},
	{Label: "Drafts and reviews", Group: "Documentation", Href: DraftsPath, Roles: everybody},
	{Label: "Imports", Group: "Documentation", Href: "/admin/imports", Roles: everybody},
	{Label: "Calendar", Group: "Documentation", Href: CalendarPath, Roles: everybody},
	{Label: "Media", Group: "Documentation", Href: "/admin/media", Roles: everybody},
	{Label: "Feedback", Group: "Documentation", Href: FeedbackPath, Roles: everybody},
	{Label: "Client libraries", Group: "Documentation", Href: "/admin/sdks", Roles: everybody},
	{Label: "Analytics", Group: "Documentation", Href: "/admin/analytics", Roles: everybody},
	{Label: "Synonyms", Group: "Documentation", Href: SynonymsPath, Roles: writers},
	{Label: "API console", Group: "Documentation", Href: "/admin/console", Roles: everybody},
	{Label: "Editor tutor", Group: "Documentation", Href: "/admin/editor-tutor", Roles: everybody},
	{Label: "Organisations", Group: "Partners", Href: OrganisationsPath, Roles: everybody},
	{Label: "Contacts", Group: "Partners", Href: ContactsPath, Roles: everybody},
	{Label: "Bots", Group: "Partners", Href: BotsPath, Roles: everybody},
	{Label: "Message templates", Group: "Partners", Href: "/admin/message-templates", Roles: everybody},
	{Label: "SMS headers", Group: "Partners", Href: "/admin/sms-headers", Roles: everybody},
	{Label: "Do not contact", Group: "Partners", Href: SuppressionsPath, Roles: everybody},
	{Label: "Messages", Group: "Delivery", Href: MessagesPath, Roles: superiors},
	{Label: "Refused requests", Group: "Delivery", Href: "/admin/refused-requests", Roles: superiors},
	{Label: "Carriers", Group: "Delivery", Href: CarriersPath, Roles: everybody},
	{Label: "Parked messages", Group: "Delivery", Href: "/admin/parked-messages", Roles: superiors},
	{Label: "SMS settings", Group: "Delivery", Href: SMSSettingsPath, Roles: superiors},
	{Label: "Email settings", Group: "Delivery", Href: EmailSettingsPath, Roles: superiors},
	{Label: "Emails and codes", Group: "Delivery", Href: NotificationsPath, Roles: superiors},
	{Label: "Inbox", Group: "Delivery", Href: InboxPath, Roles: superiors},
	{Label: "Users", Group: "System", Href: UsersPath, Roles: superiors},
	{Label: "Themes", Group: "System", Href: "/admin/themes", Roles: superiors},
	{Label: "Jobs", Group: "System", Href: JobsPath, Roles: superiors},
	{Label: "Retention", Group: "System", Href: RetentionPath, Roles: superiors},
	{Label: "Audit", Group: "System", Href: AuditPath, Roles: superiors},
	{Label: "Handbook", Group: "System", Href: "/admin/help", Roles: everybody},
}

// tutorKey is the next step of the tutor in the context of a request.
const tutorKey = "page.tutor"

// SetTutor shows the next step of the editor's tutor on the page that answers a request.
func SetTutor(c echo.Context, t *layout.Tutor) { c.Set(tutorKey, t) }

// AdministrationFrame returns the frame of a page of the administration with a title.
// current is the path of its section.
func AdministrationFrame(c echo.Context, title, current string) layout.Frame {
	user := User(c)
	tutor, _ := c.Get(tutorKey).(*layout.Tutor)
	return layout.Frame{
		Tutor:   tutor,
		Page:    layout.Page{Title: title + " – Administration", HasNav: true, Script: "js/editor.js", Style: "css/editor.css", Account: ui.Link{Label: user.Name, Href: "/admin"}},
		Area:    ui.Link{Label: "Administration", Href: "/admin"},
		Heading: title, User: user.Name, Role: Roles[user.Role],
		Own:      ui.Link{Label: "Password and sessions", Href: "/admin/change-password"},
		Sections: sectionsFor(AdministrationSections, user, current), SignOut: "/admin/logout", CSRF: Token(c),
	}
}

// IsSuperAdmin reports whether the user of a request is a Super Admin.
func IsSuperAdmin(c echo.Context) bool { return User(c).Role == identity.SuperAdmin }
