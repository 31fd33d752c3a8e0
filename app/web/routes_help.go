package web

import (
	"net/http"

	"heliograph/app/web/operation/help"
)

// helpRoutes lists the pages of the handbook.
func helpRoutes(s *Server) []Route {
	return []Route{
		{Name: "admin.help", Method: http.MethodGet, Path: help.Path, Access: Viewer, Handler: help.Handbook},
		{Name: "admin.help.topic", Method: http.MethodGet, Path: help.Path + "/:topic", Access: Viewer, Handler: help.Topic},
	}
}
