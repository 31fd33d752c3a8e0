package web

import "net/http"

// retention lists the pages that say how long messages are kept.
func (a adminPages) retention() []Route {
	h := a.pages
	return []Route{
		{Name: "admin.retention.show", Method: http.MethodGet, Path: "/admin/retention", Access: SuperAdmin, Handler: h.ShowRetention},
		{Name: "admin.retention", Method: http.MethodPost, Path: "/admin/retention", Access: SuperAdmin, Handler: h.SaveRetention},
		{Name: "admin.erasure", Method: http.MethodPost, Path: "/admin/retention/erasure", Access: SuperAdmin, Handler: h.EraseRecipient},
	}
}
