package web

import (
	"net/http"
	"slices"

	"heliograph/app/documentation/search"
	"heliograph/app/web/documentation/feedback"
	"heliograph/app/web/documentation/synonyms"
)

// editing lists the pages beside the editorial desk.
func editing(s *Server) []Route {
	return slices.Concat(synonymRoutes(s), feedbackRoutes(s))
}

// synonymRoutes lists the pages of the words that the search takes for each other.
func synonymRoutes(s *Server) []Route {
	h := synonyms.New(synonyms.Deps{DB: s.deps.DB, Words: search.NewSynonyms(s.deps.DB)})
	return []Route{
		{Name: "admin.synonyms", Method: http.MethodGet, Path: "/admin/synonyms", Access: Editor, Handler: h.List},
		{Name: "admin.synonyms.add", Method: http.MethodPost, Path: "/admin/synonyms", Access: Editor, Handler: h.Add},
		{Name: "admin.synonyms.removal.show", Method: http.MethodGet, Path: "/admin/synonyms/:id/removal", Access: Editor, Handler: h.ConfirmRemove},
		{Name: "admin.synonyms.removal", Method: http.MethodPost, Path: "/admin/synonyms/:id/removal", Access: Editor, Handler: h.Remove},
	}
}

// feedbackRoutes lists the page of what readers said.
func feedbackRoutes(s *Server) []Route {
	h := feedback.New(feedback.Deps{DB: s.deps.DB})
	return []Route{
		{Name: "admin.feedback", Method: http.MethodGet, Path: "/admin/feedback", Access: Viewer, Handler: h.List},
	}
}
