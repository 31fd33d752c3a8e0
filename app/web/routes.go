package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/identity"
	"heliograph/app/limit"
	"heliograph/app/queue"
	"heliograph/app/search"
	"heliograph/app/web/account"
	"heliograph/app/web/admin"
	"heliograph/app/web/login"
	"heliograph/app/web/page"
	"heliograph/app/web/portal"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Route is one line of the route table.
type Route struct {
	// Name is unique; metrics and the log use it.
	Name string
	// Method is the HTTP method, or * for all. A GET route answers HEAD too.
	Method string
	// Path is an Echo pattern, such as "/docs/:product".
	Path   string
	Access Access
	// Handler answers the request.
	Handler echo.HandlerFunc
	// BodyLimit is the largest body in bytes; 0 means 64 KiB.
	BodyLimit int64
}

// table is every route of the server but those of its APIs.
func (s *Server) table() []Route {
	ops := echo.WrapHandler(Ops(OpsDeps{
		Pool: s.deps.Pool, Registry: s.deps.Registry, MetricsNetworks: s.deps.Config.MetricsNetworks, Draining: s.draining.Load,
	}))
	table := []Route{
		{Name: "health", Method: http.MethodGet, Path: "/health", Access: Operator, Handler: ops},
		{Name: "livez", Method: http.MethodGet, Path: "/livez", Access: Operator, Handler: ops},
		{Name: "readyz", Method: http.MethodGet, Path: "/readyz", Access: Operator, Handler: ops},
		{Name: "metrics", Method: http.MethodGet, Path: "/metrics", Access: Operator, Handler: ops},

		{Name: "static", Method: http.MethodGet, Path: "/static/*", Access: Public, Handler: serveStatic},
		{Name: "favicon", Method: http.MethodGet, Path: "/favicon.ico", Access: Public, Handler: serveFavicon},
		{Name: "robots", Method: http.MethodGet, Path: "/robots.txt", Access: Public, Handler: s.serveRobots},
	}
	if s.deps.Catalogue != nil {
		table = append(table, s.portal()...)
	}
	return table
}

// letters are how users hear what happens to their accounts.
func (s *Server) letters() identity.Letters {
	return identity.Letters{Mail: s.deps.Notifications, PublicURL: s.deps.Config.PublicURL}
}

// portal is the documentation and its administration.
func (s *Server) portal() []Route {
	limiter := limit.New(s.deps.DB, s.deps.Keyring)
	pages := portal.New(portal.Deps{Catalogue: s.deps.Catalogue, PublicURL: s.deps.Config.PublicURL, Limiter: limiter})
	s.frame = pages.Frame
	searches := portal.NewSearch(pages, s.deps.Search, limiter)
	accounts := account.New(account.Deps{
		DB: s.deps.DB, Directory: s.directory, Gate: s.gates[identity.Account], Limiter: limiter,
		Team:      identity.NewTeam(s.deps.DB, s.letters()),
		PublicURL: s.deps.Config.PublicURL, Word: s.deps.Config.ChannelWord, Webhooks: s.deps.Webhooks,
		Enrolment: identity.NewEnrolment(identity.EnrolmentOptions{
			DB: s.deps.DB, Keyring: s.deps.Keyring, Limiter: limiter, Notifications: s.deps.Notifications,
			Provision: s.deps.Provision, PublicURL: s.deps.Config.PublicURL,
		}),
	})
	members := login.New(login.Deps{
		Area: page.Account, Directory: s.directory, Gate: s.gates[identity.Account], Limiter: limiter, Heading: "Sign in",
		Forgot:   ui.Link{Label: "Forgot your password?", Href: "/forgot-password"},
		Register: ui.Link{Label: "Register an organisation", Href: "/register"},
		Pending:  accounts.Pending,
	})
	admins := admin.New(admin.Deps{
		DB: s.deps.DB, Directory: s.directory, Gate: s.gates[identity.Administration], Limiter: limiter, Queues: queue.New(s.deps.DB, s.deps.Jobs),
		Administrators: identity.NewAdministrators(s.deps.DB, s.letters()),
		Words:          search.NewSynonyms(s.deps.DB),
		Settings:       s.deps.Settings, Notifications: s.deps.Notifications, PublicURL: s.deps.Config.PublicURL,
	})
	administrators := login.New(login.Deps{
		Area: page.Administration, Directory: s.directory, Gate: s.gates[identity.Administration], Limiter: limiter,
		Heading: "Sign in to the administration", Forgot: ui.Link{Label: "Forgot your password?", Href: "/admin/forgot-password"},
	})
	table := []Route{
		{Name: "home", Method: http.MethodGet, Path: "/", Access: Public, Handler: pages.Serve},
		{Name: "sitemap", Method: http.MethodGet, Path: "/sitemap.xml", Access: Public, Handler: pages.Serve},
		{Name: "docs", Method: http.MethodGet, Path: "/docs", Access: Public, Handler: pages.Serve},
		{Name: "product", Method: http.MethodGet, Path: "/docs/:product", Access: Public, Handler: pages.Serve},
		{Name: "version", Method: http.MethodGet, Path: "/docs/:product/:version", Access: Public, Handler: pages.Serve},
		{Name: "endpoint", Method: http.MethodGet, Path: "/docs/:product/:version/:endpoint", Access: Public, Handler: pages.Serve},
		{Name: "schema", Method: http.MethodGet, Path: "/docs/:product/:version/schemas/:schema", Access: Public, Handler: pages.Serve},
		{Name: "guides", Method: http.MethodGet, Path: "/productguide", Access: Public, Handler: pages.Serve},
		{Name: "guide", Method: http.MethodGet, Path: "/productguide/:product/:guide", Access: Public, Handler: pages.Serve},
		{Name: "search", Method: http.MethodGet, Path: "/search", Access: Public, Handler: searches.Show},
		{Name: "api.search", Method: http.MethodGet, Path: "/api/search", Access: Public, Handler: searches.API},

		{Name: "login.show", Method: http.MethodGet, Path: "/login", Access: Visitor, Handler: members.Show},
		{Name: "login", Method: http.MethodPost, Path: "/login", Access: Visitor, Handler: members.Login},
		{Name: "logout", Method: http.MethodPost, Path: "/logout", Access: Member, Handler: members.Logout},
		{Name: "register.show", Method: http.MethodGet, Path: "/register", Access: Visitor, Handler: accounts.ShowRegister},
		{Name: "register", Method: http.MethodPost, Path: "/register", Access: Visitor, Handler: accounts.Register},
		{Name: "register.verify.show", Method: http.MethodGet, Path: "/register/verify", Access: Visitor, Handler: accounts.ShowVerify},
		{Name: "register.verify", Method: http.MethodPost, Path: "/register/verify", Access: Visitor, Handler: accounts.Verify},
		{Name: "register.resend", Method: http.MethodPost, Path: "/register/resend", Access: Visitor, Handler: accounts.ResendRegistration},
		{Name: "forgot.show", Method: http.MethodGet, Path: "/forgot-password", Access: Visitor, Handler: accounts.ShowForgot},
		{Name: "forgot", Method: http.MethodPost, Path: "/forgot-password", Access: Visitor, Handler: accounts.Forgot},
		{Name: "forgot.reset.show", Method: http.MethodGet, Path: "/forgot-password/reset", Access: Visitor, Handler: accounts.ShowReset},
		{Name: "forgot.reset", Method: http.MethodPost, Path: "/forgot-password/reset", Access: Visitor, Handler: accounts.Reset},
		{Name: "forgot.resend", Method: http.MethodPost, Path: "/forgot-password/resend", Access: Visitor, Handler: accounts.ResendRecovery},

		{Name: "admin.login.show", Method: http.MethodGet, Path: "/admin/login", Access: AdminVisitor, Handler: administrators.Show},
		{Name: "admin.login", Method: http.MethodPost, Path: "/admin/login", Access: AdminVisitor, Handler: administrators.Login},
		{Name: "admin.logout", Method: http.MethodPost, Path: "/admin/logout", Access: Viewer, Handler: administrators.Logout},
	}
	table = append(append(append(table, organisations(accounts)...), logs(accounts)...), administration(admins)...)
	if !s.deps.Config.Production() {
		table = append(table, Route{Name: "ui", Method: http.MethodGet, Path: "/ui", Access: Public, Handler: serveGallery})
	}
	return table
}

// serveGallery shows every component in all its states, in development.
func serveGallery(c echo.Context) error {
	return page.Render(c, http.StatusOK, page.View{Frame: layout.Page{Title: "Components"}, Body: ui.Gallery()})
}
