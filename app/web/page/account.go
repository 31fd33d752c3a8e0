package page

import (
	"cmp"
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// The addresses of sections of the account that pages of other sections lead to.
const (
	AccountAssetsPath       = "/account/assets"
	AccountBotsPath         = "/account/bots"
	AccountTemplatesPath    = "/account/templates"
	AccountDeliveriesPath   = "/account/deliveries"
	AccountKeysPath         = "/account/keys"
	AccountMessagesPath     = "/account/messages"
	AccountProfilePath      = "/account/profile"
	AccountRefusedPath      = "/account/refused-requests"
	AccountSMSPath          = "/account/sms"
	AccountSuppressionsPath = "/account/do-not-contact"
	AccountTeamPath         = "/account/team"
	AccountUsagePath        = "/account/usage"
	AccountWebhooksPath     = "/account/webhooks"
)

var (
	members = []string{identity.Viewer, identity.Developer, identity.Owner}
	owners  = []string{identity.Owner}
)

// DocsPath is the documentation of requests.
const DocsPath = "/docs/business-messaging/3.0"

// accountSections lists the sections in the order of the navigation.
var accountSections = []Section{
	{Label: "Overview", Href: "/account", Roles: members},
	{Label: "Documentation", Href: "/#products", Roles: members},
	{Label: "Messages", Group: "Traffic", Href: AccountMessagesPath, Roles: members},
	{Label: "Refused requests", Group: "Traffic", Href: AccountRefusedPath, Roles: members},
	{Label: "Callbacks", Group: "Traffic", Href: AccountDeliveriesPath, Roles: members},
	{Label: "Usage", Group: "Traffic", Href: AccountUsagePath, Roles: members},
	{Label: "API keys", Group: "Setup", Href: AccountKeysPath, Roles: members},
	{Label: "Webhooks", Group: "Setup", Href: AccountWebhooksPath, Roles: members},
	{Label: "Webhook range", Group: "Setup", Href: "/account/webhook-range", Roles: members},
	{Label: "Numbers and accounts", Group: "Setup", Href: AccountAssetsPath, Roles: members},
	{Label: "Templates", Group: "Setup", Href: AccountTemplatesPath, Roles: members},
	{Label: "SMS", Group: "Setup", Href: AccountSMSPath, Roles: members},
	{Label: "Bots", Group: "Setup", Href: AccountBotsPath, Roles: members},
	{Label: "Do not contact", Group: "Setup", Href: AccountSuppressionsPath, Roles: members},
	{Label: "Team", Group: "Organisation", Href: AccountTeamPath, Roles: owners},
	{Label: "Profile", Group: "Organisation", Href: AccountProfilePath, Roles: members},
}

// accountDone holds the messages after an action, by the word in the address that the
// action leads to.
var accountDone = map[string]string{
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

// AccountFrame returns the frame of a page of an account with a title. current is the path of its
// section.
func AccountFrame(c echo.Context, title, current string) layout.Frame {
	user := User(c)
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – " + user.Organisation, HasNav: true, Account: ui.Link{Label: Called(user), Href: "/account"}, Done: accountDone[c.QueryParam("done")]},
		Area:    ui.Link{Label: user.Organisation, Href: "/account"},
		Heading: title,
		User:    Called(user), Role: Roles[user.Role], Sections: sectionsFor(accountSections, user, current), SignOut: "/logout", CSRF: Token(c),
	}
	return f
}

// Called returns the name of a user, or the email address of a user without one.
func Called(u *identity.User) string {
	return cmp.Or(u.Name, u.Email)
}

// developers holds the roles that may change webhooks and keys.
var developers = []string{identity.Developer, identity.Owner}

// MayDevelop reports whether the user may change webhooks and replay callbacks.
func MayDevelop(c echo.Context) bool { return slices.Contains(developers, User(c).Role) }
