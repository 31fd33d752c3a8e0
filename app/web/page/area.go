package page

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"heliograph/app/fault"
	"heliograph/app/identity"
)

// Area is a part of the site that people sign in to.
type Area struct {
	// Surface says whose accounts the area has.
	Surface identity.Surface
	// Home is its first page, and Login where its users sign in.
	Home, Login string

	entrances []string // paths outside Home that belong to the area

	cookie   string
	sameSite http.SameSite
	remedy   string // for users whose role does not suffice
}

// The areas. Only the accounts' cookie travels with links from elsewhere, such
// as those in emails.
var (
	Account = Area{
		Surface: identity.Account, Home: "/account", Login: "/login", entrances: []string{"/login", "/logout", "/register", "/forgot-password"},
		cookie: "heliograph", sameSite: http.SameSiteLaxMode,
		remedy: "An owner of your organisation can change it.",
	}
	Administration = Area{
		Surface: identity.Administration, Home: "/admin", Login: "/admin/login",
		cookie: "heliograph-admin", sameSite: http.SameSiteStrictMode,
		remedy: "A Super Admin can change it.",
	}
)

// Stream is the address of the events that tell the area's pages what changed.
func (a Area) Stream() string { return a.Home + "/events" }

// refuse says whom a page or an action is for, and what the user is.
func (a Area) refuse(user *identity.User, roles []string) *fault.Error {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = RoleNames[role] + "s"
	}
	return &fault.Error{
		Kind: fault.Forbidden, Title: "This is for " + strings.Join(names, " and "),
		Message: "Your role is " + RoleNames[user.Role] + ". " + a.remedy,
	}
}

// Next returns where to go after signing in: the local page of the area that
// was asked for, or its first. Anything else would lend our name to a redirect
// elsewhere.
func (a Area) Next(asked string) string {
	u, err := url.Parse(asked)
	local := err == nil && u.Scheme == "" && u.Host == "" && (u.Path == a.Home || strings.HasPrefix(u.Path, a.Home+"/"))
	if !local || asked[0] != '/' || path.Clean(u.Path) != u.Path || strings.ContainsAny(asked, "\\\r\n") || u.Path == a.Login {
		return a.Home
	}
	return u.RequestURI()
}
