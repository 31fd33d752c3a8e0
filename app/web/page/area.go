package page

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/people/identity"
)

// Area is a part of the site that people sign in to.
type Area struct {
	// Surface is the kind of accounts of the area.
	Surface identity.Surface
	// Home is the path of the first page, and Login of the sign-in form.
	Home, Login string

	entrances []string // paths outside Home that belong to the area

	cookie   string
	sameSite http.SameSite
	remedy   string // for users with a role that does not suffice
}

// The areas. Only the cookie of accounts is sent with links from other sites and
// emails.
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

// Roles holds the labels of roles.
var Roles = map[string]string{
	identity.SuperAdmin: "Super Admin", identity.Editor: "Editor", identity.Owner: "Owner", identity.Developer: "Developer", identity.Viewer: "Viewer",
}

// Stream returns the address of the events of the area.
func (a Area) Stream() string { return a.Home + "/events" }

// refuse returns the error for a user without one of the roles.
func (a Area) refuse(user *identity.User, roles []string) *fault.Error {
	names := lists.Map(roles, func(role string) string { return Roles[role] + "s" })
	return &fault.Error{
		Kind: fault.Forbidden, Title: "This is for " + strings.Join(names, " and "),
		Message: "Your role is " + Roles[user.Role] + ". " + a.remedy,
	}
}

// Next returns the page after signing in: the requested page of the area, or its
// first. Other addresses would make this an open redirect.
func (a Area) Next(asked string) string {
	u, err := url.Parse(asked)
	local := err == nil && u.Scheme == "" && u.Host == "" && (u.Path == a.Home || strings.HasPrefix(u.Path, a.Home+"/"))
	if !local || asked[0] != '/' || path.Clean(u.Path) != u.Path || strings.ContainsAny(asked, "\\\r\n") || u.Path == a.Login {
		return a.Home
	}
	return u.RequestURI()
}
