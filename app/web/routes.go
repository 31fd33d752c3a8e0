package web

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/operation/gallery"
	"heliograph/app/web/page"
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
	// Ask asks before the action of a POST route; nil for most. The table has a GET route at
	// the same address then, named for the action and show.
	Ask page.Asker
	// BodyLimit is the largest body in bytes; 0 means 64 KiB.
	BodyLimit int64
	// Secret is the part of the address that no log shows; empty for most.
	Secret SecretPath
	// Streamed is for forms with large files, which the handler reads part by part.
	Streamed bool
}

// newTable returns every route of the server. Each feature makes its handlers and
// lists its routes in a file of its own: routes_portal.go, routes_account.go,
// routes_admin.go and routes_apis.go.
func newTable(s *Server) []Route {
	table := watchRoutes(s)
	if s.deps.Documentation != nil {
		portal, account := newPortal(s), newAccount(s)
		s.failures.frame = portal.pages.Frame
		table = slices.Concat(
			table, people(s), operators(s), carrying(s), editing(s), portal.routes(), account.visitors(),
			adminVisitors(s), homeRoutes(s), organisationChannels(s),
			documentation(s, portal.pages), organisationSuppressions(s), everyoneSuppressions(s), helpRoutes(s),
			mediaRoutes(s), themeRoutes(s, portal.pages), sdkRoutes(s, portal.pages), importRoutes(s), consoleRoutes(s, portal.pages),
			simulatorRoutes(s, portal.pages), streamRoutes(s), galleryRoutes(s), refusedRoutes(s),
		)
		table = withQuestions(append(table, tutorRoutes(s, portal.pages)...))
		accompany(s, table)
	}
	return slices.Concat(table, insightRoutes(s), apiRoutes(s))
}

// withQuestions puts the route of its question before each action that asks first.
func withQuestions(table []Route) (all []Route) {
	for _, r := range table {
		if r.Ask != nil {
			all = append(all, Route{Name: r.Name + ".show", Method: http.MethodGet, Path: r.Path, Access: r.Access, Handler: r.Ask.Handler()})
		}
		all = append(all, r)
	}
	return all
}

// watchRoutes lists the routes for machines that watch the process, and files.
func watchRoutes(s *Server) []Route {
	ops := echo.WrapHandler(Ops(OpsDeps{
		Pool: s.deps.Pool, Keyring: s.deps.Keyring, Registry: s.deps.Registry, MetricsNetworks: s.deps.Config.MetricsNetworks, Draining: s.draining.Load, Storage: s.deps.Storage, Clock: s.deps.Clock,
	}))
	return []Route{
		{Name: "health", Method: http.MethodGet, Path: "/health", Access: Operator, Handler: ops},
		{Name: "livez", Method: http.MethodGet, Path: "/livez", Access: Operator, Handler: ops},
		{Name: "readyz", Method: http.MethodGet, Path: "/readyz", Access: Operator, Handler: ops},
		{Name: "metrics", Method: http.MethodGet, Path: "/metrics", Access: Operator, Handler: ops},
		{Name: "profile", Method: http.MethodGet, Path: "/debug/pprof/:name", Access: Operator, Handler: ops},

		{Name: "static", Method: http.MethodGet, Path: "/static/*", Access: Public, Handler: serveStatic},
		{Name: "favicon", Method: http.MethodGet, Path: "/favicon.ico", Access: Public, Handler: serveFavicon},
		{Name: "robots", Method: http.MethodGet, Path: "/robots.txt", Access: Public, Handler: s.serveRobots},
	}
}

// streamRoutes lists the events of open pages.
func streamRoutes(s *Server) []Route {
	if s.live == nil {
		return nil
	}
	return []Route{
		{Name: "account.events", Method: http.MethodGet, Path: page.Account.Stream(), Access: Member, Handler: s.live.Serve},
		{Name: "admin.events", Method: http.MethodGet, Path: page.Administration.Stream(), Access: Viewer, Handler: s.live.Serve},
	}
}

// galleryRoutes lists the page of components, which development alone has.
func galleryRoutes(s *Server) []Route {
	if s.deps.Config.Production() {
		return nil
	}
	h := gallery.New(gallery.Deps{Limiter: s.limiter, Signals: s.deps.Signals})
	return []Route{
		{Name: "ui", Method: http.MethodGet, Path: "/ui", Access: Visitor, Handler: h.Show},
		{Name: "ui.advance", Method: http.MethodPost, Path: "/ui/advance", Access: Visitor, Handler: h.Advance},
		{Name: "ui.note", Method: http.MethodPost, Path: "/ui/note", Access: Visitor, Handler: page.Form(h.SaveNote)},
		{Name: "ui.note.elsewhere", Method: http.MethodPost, Path: "/ui/note/elsewhere", Access: Visitor, Handler: h.SaveElsewhere},
		{Name: "ui.delivery", Method: http.MethodGet, Path: "/ui/deliveries/:id", Access: Visitor, Handler: page.With(h.Find, h.Delivery)},
		{Name: "ui.removal", Method: http.MethodPost, Path: "/ui/deliveries/:id/removal", Access: Visitor, Handler: page.With(h.Find, h.Remove), Ask: h.AskRemove},
	}
}
