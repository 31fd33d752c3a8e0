package web

import (
	"net/http"

	"heliograph/app/channels/pipeline"
	"heliograph/app/documentation/importing"
	"heliograph/app/operation/queue"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/people/login"
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
	Carriers *pipeline.Carriers
	// Signals notifies open pages of changes; may be nil.
	Signals *db.Signals
}

// jobClient looks after the job queues and adds jobs.
type jobClient interface {
	queue.River
	args.Inserter
}

// adminVisitors lists what an administrator needs to sign in and out.
func adminVisitors(s *Server) []Route {
	h := login.New(login.Deps{
		Area: page.Administration, Directory: s.directory, Gate: s.gates[identity.Administration], Limiter: s.limiter,
		Heading: "Sign in to the administration", Forgot: ui.Link{Label: "Forgot your password?", Href: "/admin/forgot-password"},
	})
	return []Route{
		{Name: "admin.login.show", Method: http.MethodGet, Path: "/admin/login", Access: AdminVisitor, Handler: h.Show},
		{Name: "admin.login", Method: http.MethodPost, Path: "/admin/login", Access: AdminVisitor, Handler: page.Form(h.Login)},
		{Name: "admin.logout", Method: http.MethodPost, Path: "/admin/logout", Access: Viewer, Handler: h.Logout},
	}
}
