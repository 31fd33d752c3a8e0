package web

import (
	"net/http"
	"time"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/delivery"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing"
	"heliograph/app/operation/queue"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/web/admin"
	"heliograph/app/web/login"
	"heliograph/app/web/page"
	"heliograph/app/web/portal"
	"heliograph/db"
	"heliograph/jobs/args"
	"heliograph/views/ui"
)

// adminDeps holds the dependencies of the administration's pages.
type adminDeps struct {
	// Settings say how SMS and emails are sent.
	Settings *setting.Settings
	// Jobs is the client of the job queues.
	Jobs jobClient
	// Imports brings API descriptions in; nil means that nothing can be stored.
	Imports *importing.Service
	// Carriers manages the carriers that operators set up.
	Carriers *delivery.Carriers
	// Signals notifies open pages of changes; may be nil.
	Signals *db.Signals
}

// jobClient looks after the job queues and adds jobs.
type jobClient interface {
	queue.River
	args.Inserter
}

// adminPages holds the handlers of the administration.
type adminPages struct {
	pages *admin.Handlers
	login *login.Handlers
}

func newAdmin(s *Server, reader *portal.Pages) adminPages {
	d, gate := s.deps, s.gates[identity.Administration]
	pages := admin.New(admin.Deps{
		DB: d.DB, Zone: zoneOf(s), Gate: gate, Limiter: s.limiter, Settings: d.Settings, Notifications: d.Notifications, PublicURL: d.Config.PublicURL, Production: d.Config.Production(),
		Signals: d.Signals, Suppressions: blocklist.NewLists(d.DB), Storage: d.Storage,
		Documentation: d.DB, Scheduler: &editorial.Scheduler{DB: d.DB, Jobs: d.Jobs, Now: time.Now}, Catalogue: d.Catalogue, Reader: reader.Preview,
	})
	if d.Media != nil {
		pages.Drawings = d.Media
	}
	return adminPages{pages, login.New(login.Deps{
		Area: page.Administration, Directory: s.directory, Gate: gate, Limiter: s.limiter,
		Heading: "Sign in to the administration", Forgot: ui.Link{Label: "Forgot your password?", Href: "/admin/forgot-password"},
	})}
}

// visitors lists what an administrator needs to sign in and out.
func (a adminPages) visitors() []Route {
	return []Route{
		{Name: "admin.login.show", Method: http.MethodGet, Path: "/admin/login", Access: AdminVisitor, Handler: a.login.Show},
		{Name: "admin.login", Method: http.MethodPost, Path: "/admin/login", Access: AdminVisitor, Handler: a.login.Login},
		{Name: "admin.logout", Method: http.MethodPost, Path: "/admin/logout", Access: Viewer, Handler: a.login.Logout},
	}
}

// routes lists the pages of the administration.
func (a adminPages) routes() []Route {
	h := a.pages
	return []Route{
		{Name: "admin.home", Method: http.MethodGet, Path: "/admin", Access: Viewer, Handler: h.Home},
		{Name: "admin.edit", Method: http.MethodGet, Path: "/admin/edit", Access: Viewer, Handler: h.Edit},
	}
}
