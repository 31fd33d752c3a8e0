package web

import (
	"net/http"

	"heliograph/app/web/admin"
)

// administration is what administrators look after.
func administration(h *admin.Handlers) []Route {
	return []Route{
		{Name: "admin.home", Method: http.MethodGet, Path: "/admin", Access: Viewer, Handler: h.Home},

		{Name: "admin.audit", Method: http.MethodGet, Path: "/admin/audit", Access: SuperAdmin, Handler: h.Audit},
		{Name: "admin.audit.export", Method: http.MethodGet, Path: "/admin/audit.csv", Access: SuperAdmin, Handler: h.ExportAudit},
	}
}
