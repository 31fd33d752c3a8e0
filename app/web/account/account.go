// Package account answers the pages on which an organisation looks after
// itself: its keys, its messages, its callbacks and its people.
package account

import (
	"time"

	"github.com/a-h/templ"
	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/identity"
	"heliograph/app/limit"
	"heliograph/app/messaging"
	"heliograph/app/web/page"
	"heliograph/db"
	view "heliograph/views/account"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps is what the handlers need.
type Deps struct {
	DB        db.Querier // read only
	Enrolment *identity.Enrolment
	Directory *identity.Directory
	Team      *identity.Team
	Gate      *page.Gate // of the accounts
	Limiter   *limit.Limiter
	// PublicURL is where programs reach the APIs, Word the channel's name in
	// their bodies.
	PublicURL, Word string
	Webhooks        *messaging.Webhooks
}

// Handlers answers the routes under /account.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }

var (
	members = []string{identity.Viewer, identity.Developer, identity.Owner}
	owners  = []string{identity.Owner}
)

// sections are the parts in the order of the navigation.
var sections = []page.Section{
	{Label: "Overview", Href: "/account", Roles: members},
	{Label: "API keys", Href: keysPath, Roles: members},
	{Label: "Messages", Href: messagesPath, Roles: members},
	{Label: "Callbacks", Href: deliveriesPath, Roles: members},
	{Label: "Webhooks", Href: webhooksPath, Roles: members},
	{Label: "Usage", Href: usagePath, Roles: members},
	{Label: "Team", Href: teamPath, Roles: owners},
	{Label: "Profile", Href: profilePath, Roles: members},
	{Label: "Documentation", Href: "/#products", Roles: members},
}

// done are the sentences about what a form did, by the word that the address
// it leads to carries.
var done = map[string]string{
	"key-revoked":    "The key is revoked: requests with it are refused from now on.",
	"invited":        "The invitation is on its way.",
	"withdrawn":      "The invitation is withdrawn: its link does nothing any more.",
	"role":           "The role is changed. Your colleague signs in again to use it.",
	"activated":      "Your colleague can sign in again.",
	"deactivated":    "Your colleague is signed out everywhere and cannot sign in.",
	"removed":        "Your colleague is removed and signed out everywhere.",
	"renamed":        "The name is changed.",
	"mobile":         "The mobile number is changed. Every other session has ended.",
	"password":       "The password is changed. Every other session has ended.",
	"session-ended":  "The session has ended.",
	"sessions-ended": "Every other session has ended.",
	"joined":         "You have joined. This is your organisation's account.",

	"joined-without-number": "You have joined, but no code could be sent to your mobile number. Try it again here, or later.",

	"webhook-set":     "The webhook is set.",
	"webhook-removed": "The webhook is removed. Its callbacks stay in the log.",
	"webhook-enabled": "The webhook is enabled. Callbacks go out again.",
	"secret-rotated":  "There is a new secret. Both sign until the previous one ends.",
	"secret-retired":  "The previous secret signs no more.",
	"replayed":        "The callback is posted once more, under the same webhook-id.",
	"tested":          "A test event is on its way.",
}

// frame is what stands around a page with the title. current is the address
// of the section that it belongs to.
func frame(c echo.Context, title, current string) layout.Frame {
	user := page.User(c)
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – " + user.Organisation, HasNav: true, Account: ui.Link{Label: called(user), Href: "/account"}, Done: done[c.QueryParam("done")]},
		Area:    ui.Link{Label: user.Organisation, Href: "/account"},
		Heading: title,
		User:    called(user), Role: page.RoleNames[user.Role], Sections: page.Sections(sections, user, current), SignOut: "/logout", CSRF: page.Token(c),
	}
	return f
}

// called is what to call a user: by name or, without one, by address.
func called(u *identity.User) string {
	if u.Name == "" {
		return u.Email
	}
	return u.Name
}

// when shows a time, and in its title how long ago it was. nil is never.
func when(t *time.Time) ui.Cell {
	if t == nil {
		return ui.Cell{Text: "Never"}
	}
	return ui.Cell{Text: t.UTC().Format("2 Jan 2006, 15:04"), Title: humanize.Time(*t)}
}

// confirmView is a question as a page, and on the page that it was asked from:
// below a row, or in a place of its own.
func confirmView(c echo.Context, p view.ConfirmPage) page.View {
	return page.View{Frame: p.Page, Body: view.Confirm(p), Elsewhere: map[ui.Region]templ.Component{
		ui.Details: view.ConfirmRow(p, keyColumns), ui.Confirm: view.ConfirmPart(p, page.Target(c)),
	}}
}

// wrong puts what is wrong with a form beside its inputs.
func wrong(inputs []ui.Input, problems *page.Problems) []ui.Input {
	for i := range inputs {
		inputs[i].Error = problems.Fields[inputs[i].Name]
	}
	return inputs
}
