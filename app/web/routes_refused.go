package web

import (
	"net/http"

	"heliograph/app/web/channels/refused"
	"heliograph/app/web/page"
)

// refusedPath is the address of the log of all organisations.
const refusedPath = "/admin/refused-requests"

// refusedRoutes lists the logs of requests that channel APIs refused.
func refusedRoutes(s *Server) []Route {
	if s.deps.Catalogue == nil {
		return nil // Without documentation there are no accounts and no administration.
	}
	all := refused.New(refused.Options{
		DB: s.deps.DB, Channels: s.deps.Channels, Path: refusedPath, OrganisationPath: "/admin/organisations", Frame: page.AdministrationFrame,
		Lead: "API requests of all organisations that were answered with an error.",
	})
	own := refused.New(refused.Options{
		DB: s.deps.DB, Channels: s.deps.Channels, Path: page.AccountRefusedPath, Frame: page.AccountFrame,
		Lead: "API requests with your keys that were answered with an error.",
	})
	return []Route{
		{Name: "account.refused", Method: http.MethodGet, Path: "/account/refused-requests", Access: Member, Handler: page.Asked(own.List)},
		{Name: "admin.refused", Method: http.MethodGet, Path: refusedPath, Access: SuperAdmin, Handler: page.Asked(all.List)},
	}
}
