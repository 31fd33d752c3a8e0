// Package account serves the pages of an organisation: its keys, messages,
// callbacks, webhooks and team.
package account

import (
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/labels"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps holds the dependencies of the handlers.
type Deps struct {
	DB        db.Querier // read only
	Enrolment *identity.Enrolment
	Directory *identity.Directory
	Team      *identity.Team
	Gate      *page.Gate // of the accounts
	Limiter   *limit.Limiter
	// PublicURL is the address of the APIs, and Word the name of the channel in
	// bodies.
	PublicURL, Word string
	Webhooks        *messaging.Webhooks
	SMSRegistry     *sms.Registry
	RCS             *rcs.Service
	Assets          *messaging.Assets
	Suppressions    *blocklist.Lists
	Quotas          messaging.Quotas // of files, zero for none
	// Staff returns the administrator who is signed in, nil for nobody.
	Staff func(echo.Context) (*identity.User, error)
}

// Handlers answers the routes under /account.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }

var (
	members = []string{identity.Viewer, identity.Developer, identity.Owner}
	owners  = []string{identity.Owner}
)

// sections lists the sections in the order of the navigation.
var sections = []page.Section{
	{Label: "Overview", Href: "/account", Roles: members},
	{Label: "Documentation", Href: "/#products", Roles: members},
	{Label: "Messages", Group: "Traffic", Href: messagesPath, Roles: members},
	{Label: "Refused requests", Group: "Traffic", Href: refusedPath, Roles: members},
	{Label: "Callbacks", Group: "Traffic", Href: deliveriesPath, Roles: members},
	{Label: "Usage", Group: "Traffic", Href: usagePath, Roles: members},
	{Label: "API keys", Group: "Setup", Href: keysPath, Roles: members},
	{Label: "Webhooks", Group: "Setup", Href: webhooksPath, Roles: members},
	{Label: "Webhook range", Group: "Setup", Href: "/account/webhook-range", Roles: members},
	{Label: "Numbers and accounts", Group: "Setup", Href: assetsPath, Roles: members},
	{Label: "SMS", Group: "Setup", Href: smsPath, Roles: members},
	{Label: "Bots", Group: "Setup", Href: botsPath, Roles: members},
	{Label: "Do not contact", Group: "Setup", Href: suppressionPath, Roles: members},
	{Label: "Team", Group: "Organisation", Href: teamPath, Roles: owners},
	{Label: "Profile", Group: "Organisation", Href: profilePath, Roles: members},
}

// done holds the messages after an action, by the word in the address that the
// action leads to.
var done = map[string]string{
	"key-revoked":    "The key is revoked. Requests with it are refused.",
	"invited":        "The invitation is on its way.",
	"withdrawn":      "The invitation is withdrawn. Its link no longer works.",
	"role":           "The role is changed. Your colleague has to sign in again.",
	"activated":      "Your colleague can sign in again.",
	"deactivated":    "Your colleague is signed out everywhere and can no longer sign in.",
	"link":           "The email with the link is on its way.",
	"removed":        "Your colleague is removed and signed out everywhere.",
	"renamed":        "The name is changed.",
	"mobile":         "The mobile number is changed. Your other sessions have ended.",
	"password":       "The password is changed. Your other sessions have ended.",
	"session-ended":  "The session has ended.",
	"sessions-ended": "Your other sessions have ended.",
	"joined":         "You have joined. This is your organisation's account.",

	"joined-without-number": "You have joined. No code could be sent to your mobile number. Verify the number here.",

	"webhook-set":     "The webhook is saved.",
	"webhook-removed": "The webhook is removed. Its callbacks stay in the log.",
	"webhook-enabled": "The webhook is enabled. Callbacks are posted again.",
	"secret-rotated":  "A new secret is created. Both secrets sign callbacks until the previous one expires.",
	"secret-retired":  "The previous secret no longer signs callbacks.",
	"replayed":        "The callback is posted again, with the same webhook-id.",
	"tested":          "A test event is on its way.",

	"sms-header":         "The header is added.",
	"sms-header-asked":   "The request is stored. Your owners get an email when it is decided.",
	"sms-header-removed": "The header is removed.",
	"sms-text":           "The text is stored.",
	"sms-text-removed":   "The text is removed.",
	"sms-registration":   "Saved. New messages use these settings.",
	"sms-reports":        "Saved. New reports go to this address.",

	"shared":   "The account is shared. The other business finds it among its client accounts.",
	"unshared": "The account is no longer shared.",

	"device":      "The phone is invited.",
	"bot-webhook": "The webhook is saved.",
	"played":      "The answer is on its way to your webhook.",
}

// Frame returns the frame of a page of the account that has a package of its own.
func Frame(c echo.Context, title, current string) layout.Frame { return frame(c, title, current) }

// frame returns the frame of a page with a title. current is the path of its
// section.
func frame(c echo.Context, title, current string) layout.Frame {
	user := page.User(c)
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – " + user.Organisation, HasNav: true, Account: ui.Link{Label: called(user), Href: "/account"}, Done: done[c.QueryParam("done")]},
		Area:    ui.Link{Label: user.Organisation, Href: "/account"},
		Heading: title,
		User:    called(user), Role: labels.Roles[user.Role], Sections: page.Sections(sections, user, current), SignOut: "/logout", CSRF: page.Token(c),
	}
	return f
}

// called returns the name of a user, or the email address of a user without one.
func called(u *identity.User) string {
	if u.Name == "" {
		return u.Email
	}
	return u.Name
}

// when is a cell with a time. The age of the time is its title. nil is "Never".
func when(t *time.Time) ui.Cell {
	if t == nil {
		return ui.Cell{Text: "Never"}
	}
	return ui.Minute(*t)
}

// wrong sets the errors of inputs.
func wrong(inputs []ui.Input, problems *page.Problems) []ui.Input {
	for i := range inputs {
		inputs[i].Error = problems.Fields[inputs[i].Name]
	}
	return inputs
}
