package web

import (
	"net/http"

	"heliograph/app/web/channels/suppression"
	"heliograph/app/web/page"
)

// suppressionRoutes lists the pages of a list of numbers that must not be
// contacted, for those who may read it and those who may change it.
func suppressionRoutes(h *suppression.Handlers, name string, read, change Access) []Route {
	return []Route{
		{Name: name, Method: http.MethodGet, Path: h.Path, Access: read, Handler: h.Show},
		{Name: name + ".export", Method: http.MethodGet, Path: h.Path + ".csv", Access: read, Handler: h.Export},
		{Name: name + ".add", Method: http.MethodPost, Path: h.Path, Access: change, Handler: page.Form(h.Add)},
		{Name: name + ".import", Method: http.MethodPost, Path: h.Path + "/import", Access: change, Handler: page.Form(h.Import), BodyLimit: suppression.BodyLimit},
		{Name: name + ".removal", Method: http.MethodPost, Path: h.Path + "/:id/removal", Access: change, Handler: h.Remove, Ask: h.AskRemove},
	}
}

// organisationSuppressions lists the pages of the list of an organisation.
func organisationSuppressions(s *Server) []Route {
	return suppressionRoutes(suppression.OfOrganisation(s.deps.DB), "account.suppressions", Member, Developer)
}

// everyoneSuppressions lists the pages of the list of all organisations.
func everyoneSuppressions(s *Server) []Route {
	return suppressionRoutes(suppression.OfEverybody(s.deps.DB), "admin.suppressions", Viewer, SuperAdmin)
}
