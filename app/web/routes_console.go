package web

import (
	"net/http"
	"slices"
	"strings"

	"heliograph/app/documentation/console"
	"heliograph/app/web/page"
	"heliograph/app/web/reader"
	consolepage "heliograph/app/web/reader/console"
)

// consoleBody is the largest form of a call, in bytes: what is sent, and as much again
// for the other fields.
const consoleBody = 2*console.MaxRequest + 64<<10

// consoleRoutes lists the pages of the API console. Pages of readers follow the setting, and
// pages of administrators do not.
func consoleRoutes(s *Server, pages *reader.Pages) []Route {
	d := consolepage.Deps{
		Documentation: s.deps.Documentation, Service: &console.Service{Sender: s.deps.Console}, Limiter: s.limiter, Frame: pages.Frame, Shown: s.deps.Settings.ConsoleShown,
		PublicURL: s.deps.Config.PublicURL, Local: s.echo, HasMock: s.hasMock,
		DB: s.deps.DB, Channels: s.deps.Channels, Accepts: s.deps.Accepts,
	}
	public, staff := consolepage.NewReader(d), consolepage.NewStaff(d)
	settings := &consolepage.Settings{Settings: s.deps.Settings, Console: staff}
	const endpoint = "/:product/:version/:endpoint"
	return []Route{
		{Name: "console.index", Method: http.MethodGet, Path: consolepage.ReaderPath, Access: Visitor, Handler: public.Index},
		{Name: "console.show", Method: http.MethodGet, Path: consolepage.ReaderPath + endpoint, Access: Visitor, Handler: public.Show},
		{Name: "console", Method: http.MethodPost, Path: consolepage.ReaderPath + endpoint, Access: Visitor, Handler: page.With(public.Find, public.Send), BodyLimit: consoleBody},
		{Name: "console.sample", Method: http.MethodPost, Path: consolepage.ReaderPath + endpoint + "/sample", Access: Visitor, Handler: page.With(public.Find, public.Sample), BodyLimit: consoleBody},

		{Name: "admin.console", Method: http.MethodGet, Path: consolepage.StaffPath, Access: Viewer, Handler: settings.Show},
		{Name: "admin.console.settings", Method: http.MethodPost, Path: consolepage.StaffPath + "/settings", Access: SuperAdmin, Handler: settings.Save},
		{Name: "admin.console.show", Method: http.MethodGet, Path: consolepage.StaffPath + endpoint, Access: Viewer, Handler: staff.Show},
		{Name: "admin.console.send", Method: http.MethodPost, Path: consolepage.StaffPath + endpoint, Access: Viewer, Handler: page.With(staff.Find, staff.Send), BodyLimit: consoleBody},
		{Name: "admin.console.sample", Method: http.MethodPost, Path: consolepage.StaffPath + endpoint + "/sample", Access: Viewer, Handler: page.With(staff.Find, staff.Sample), BodyLimit: consoleBody},
	}
}

// hasMock reports whether the table has the mock server.
func (s *Server) hasMock() bool {
	return slices.ContainsFunc(s.routes, func(r Route) bool { return strings.HasPrefix(r.Path, "/mock/") })
}
