package web

import (
	"net/http"
	"slices"

	"heliograph/app/web/documentation/feedback"
	"heliograph/app/web/documentation/filters"
	"heliograph/app/web/documentation/synonyms"
	"heliograph/app/web/page"
)

// editing lists the pages beside the editorial desk.
func editing(s *Server) []Route {
	return slices.Concat(synonymRoutes(s), feedbackRoutes(s), filterRoutes(s))
}

// synonymRoutes lists the pages of the words that the search takes for each other.
func synonymRoutes(s *Server) []Route {
	h := &synonyms.Handlers{DB: s.deps.DB, Rules: s.deps.DB}
	return []Route{
		{Name: "admin.synonyms", Method: http.MethodGet, Path: "/admin/synonyms", Access: Editor, Handler: h.List},
		{Name: "admin.synonyms.add", Method: http.MethodPost, Path: "/admin/synonyms", Access: Editor, Handler: page.Form(h.Add)},
		{Name: "admin.synonyms.removal", Method: http.MethodPost, Path: "/admin/synonyms/:id/removal", Access: Editor, Handler: page.WithID(h.Remove), Ask: h.AskRemove},
	}
}

// feedbackRoutes lists the page of what readers said.
func feedbackRoutes(s *Server) []Route {
	h := &feedback.Handlers{DB: s.deps.DB}
	return []Route{
		{Name: "admin.feedback", Method: http.MethodGet, Path: "/admin/feedback", Access: Viewer, Handler: h.List},
	}
}

// filterRoutes lists the pages of the filters that administrators save.
func filterRoutes(s *Server) []Route {
	h := &filters.Handlers{DB: s.deps.DB, Rules: s.deps.DB}
	return []Route{
		{Name: "admin.filters", Method: http.MethodGet, Path: "/admin/filters", Access: Viewer, Handler: h.List},
		{Name: "admin.filters.new", Method: http.MethodGet, Path: "/admin/filters/new", Access: Viewer, Handler: page.Asked(h.ShowNew)},
		{Name: "admin.filters.save", Method: http.MethodPost, Path: "/admin/filters", Access: Viewer, Handler: page.Form(h.Save)},
		{Name: "admin.filters.rename", Method: http.MethodPost, Path: "/admin/filters/:id", Access: Viewer, Handler: h.Rename},
		{Name: "admin.filters.removal", Method: http.MethodPost, Path: "/admin/filters/:id/removal", Access: Viewer, Handler: h.Remove},
	}
}
