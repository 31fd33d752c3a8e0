package web

import (
	"net/http"
	"time"

	"heliograph/app/web/operation/insight"
	"heliograph/app/web/page"
)

// zoneOf is the time zone of analytics.
func zoneOf(s *Server) *time.Location {
	if s.deps.Insight == nil {
		return time.UTC
	}
	return s.deps.Insight.Zone()
}

// insightRoutes lists the pages of analytics.
func insightRoutes(s *Server) []Route {
	if s.deps.Catalogue == nil {
		return nil // Without documentation there is no administration.
	}
	h := insight.New(insight.Deps{DB: s.deps.DB, Catalogue: s.deps.Catalogue, Zone: zoneOf(s)})
	return []Route{
		{Name: "admin.analytics", Method: http.MethodGet, Path: insight.Path, Access: Viewer, Handler: page.With(h.Read, h.Show)},
		{Name: "admin.analytics.part", Method: http.MethodGet, Path: insight.Path + "/:part", Access: Viewer, Handler: page.With(h.Read, h.Show)},
		{Name: "admin.analytics.export", Method: http.MethodGet, Path: insight.Path + "/:part/:table", Access: Viewer, Handler: page.With(h.Read, h.Export)},
	}
}
