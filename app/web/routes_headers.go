package web

import (
	"net/http"

	"heliograph/app/web/channels/headers"
)

// headers lists the pages of the desk for SMS headers.
func (a adminPages) headers() []Route {
	h := a.pages.Headers()
	return []Route{
		{Name: "admin.sms_headers", Method: http.MethodGet, Path: headers.Path, Access: Viewer, Handler: h.List},
		{Name: "admin.sms_header", Method: http.MethodGet, Path: headers.Path + "/:id", Access: Viewer, Handler: h.Show},
		{Name: "admin.sms_header.decide", Method: http.MethodPost, Path: headers.Path + "/:id", Access: SuperAdmin, Handler: h.Decide},
	}
}
