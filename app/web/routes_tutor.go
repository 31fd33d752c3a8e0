package web

import (
	"net/http"
	"strings"

	"heliograph/app/web/documentation/tutor"
	"heliograph/app/web/reader"
)

// newTutor makes the handlers of the editor's tutor. Reader may be nil where only the
// steps on other pages are needed.
func newTutor(s *Server, pages *reader.Pages) *tutor.Handlers {
	h := &tutor.Handlers{DB: s.deps.DB, Documentation: s.deps.Documentation}
	if pages != nil {
		h.Reader = pages.Preview
	}
	return h
}

// tutorRoutes lists the pages of the editor's tutor.
func tutorRoutes(s *Server, pages *reader.Pages) []Route {
	h := newTutor(s, pages)
	return []Route{
		{Name: "admin.tutor", Method: http.MethodGet, Path: tutor.Path, Access: Viewer, Handler: h.Show},
		{Name: "admin.tutor.start", Method: http.MethodPost, Path: tutor.Path + "/start", Access: Editor, Handler: h.Start},
		{Name: "admin.tutor.skip", Method: http.MethodPost, Path: tutor.Path + "/steps/:step/skip", Access: Editor, Handler: h.Skip},
		{Name: "admin.tutor.pause", Method: http.MethodPost, Path: tutor.Path + "/pause", Access: Editor, Handler: h.Pause},
		{Name: "admin.tutor.restart", Method: http.MethodPost, Path: tutor.Path + "/restart", Access: Editor, Handler: h.Restart, Ask: h.AskRestart},
		{Name: "admin.tutor.removal", Method: http.MethodPost, Path: tutor.Path + "/removal", Access: Editor, Handler: h.Remove, Ask: h.AskRemove},
		{Name: "admin.tutor.live", Method: http.MethodGet, Path: tutor.Path + "/live/*", Access: Editor, Handler: h.Live},
	}
}

// accompany shows the next step of the tutor on the pages of products and change sets.
func accompany(s *Server, table []Route) {
	h := newTutor(s, nil)
	for i, r := range table {
		if strings.HasPrefix(r.Path, "/admin/products") || strings.HasPrefix(r.Path, "/admin/drafts_and_reviews") {
			table[i].Handler = h.Accompany(r.Handler)
		}
	}
}
