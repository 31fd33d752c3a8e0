package web

import (
	"net/http"
	"strings"

	rule "heliograph/app/documentation/importing"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/importing"
	"heliograph/app/web/page"
)

// importRoutes lists the pages on which API descriptions are brought in.
func importRoutes(s *Server) []Route {
	const one = importing.Path + "/:id"
	imports := s.deps.Imports
	if imports == nil {
		imports = rule.New(rule.Deps{DB: s.deps.DB, Jobs: s.deps.Jobs, Signals: s.deps.Signals})
	}
	h := &importing.Handlers{
		Rule: imports, DB: s.deps.DB, Gate: s.gates[identity.Administration], Limiter: s.limiter, PublicURL: strings.TrimSuffix(s.deps.Config.PublicURL, "/"),
	}
	return []Route{
		{Name: "admin.imports", Method: http.MethodGet, Path: importing.Path, Access: Viewer, Handler: h.Show},
		{Name: "admin.imports.new.show", Method: http.MethodGet, Path: importing.Path + "/new", Access: Editor, Handler: page.Asked(h.ShowNew)},
		{Name: "admin.imports.new", Method: http.MethodPost, Path: importing.Path, Access: Editor, Handler: page.Form(h.Start), BodyLimit: importing.BodyLimit},
		{Name: "admin.imports.show", Method: http.MethodGet, Path: one, Access: Viewer, Handler: page.With(h.Find, h.Import)},
		{Name: "admin.imports.cancellation", Method: http.MethodPost, Path: one + "/cancellation", Access: Editor, Handler: page.WithID(h.Cancel)},
		{Name: "admin.imports.acceptance", Method: http.MethodPost, Path: one + "/acceptance", Access: Editor, Handler: page.With(h.Find, h.Accept), BodyLimit: importing.ChoiceLimit},
		{Name: "admin.imports.discarding", Method: http.MethodPost, Path: one + "/discarding", Access: Editor, Handler: page.WithID(h.Discard), Ask: h.AskDiscard},
		{Name: "admin.imports.automation", Method: http.MethodGet, Path: importing.Path + "/automation", Access: Editor, Handler: h.Automation},
		{Name: "admin.imports.watch", Method: http.MethodPost, Path: importing.Path + "/automation/watches", Access: Editor, Handler: page.Form(h.Watch)},
		{Name: "admin.imports.unwatch", Method: http.MethodPost, Path: importing.Path + "/automation/watches/:id/removal", Access: Editor, Handler: page.WithID(h.Unwatch)},
		{Name: "admin.imports.token", Method: http.MethodPost, Path: importing.Path + "/automation/tokens", Access: Editor, Handler: page.Form(h.CreateToken)},
		{Name: "admin.imports.revoke", Method: http.MethodPost, Path: importing.Path + "/automation/tokens/:id/revocation", Access: Editor, Handler: page.WithID(h.RevokeToken)},

		{Name: "api.imports", Method: http.MethodPost, Path: importing.APIPath, Access: APIKey, Handler: page.With(h.Program, h.APIStart), BodyLimit: importing.BodyLimit},
		{Name: "api.imports.show", Method: http.MethodGet, Path: importing.APIPath + "/:id", Access: APIKey, Handler: page.With(h.Program, h.APIShow)},
		{Name: "api.imports.acceptance", Method: http.MethodPost, Path: importing.APIPath + "/:id/acceptance", Access: APIKey, Handler: page.With(h.Program, h.APIAccept)},
	}
}
