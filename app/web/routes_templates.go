package web

import (
	"net/http"

	"heliograph/app/web/channels/templates"
)

// templates lists the pages of the desk for templates of live organisations.
func (a adminPages) templates() []Route {
	h := a.pages.Templates()
	return []Route{
		{Name: "admin.message_templates", Method: http.MethodGet, Path: templates.Path, Access: Viewer, Handler: h.List},
		{Name: "admin.message_template", Method: http.MethodGet, Path: templates.Path + "/:id", Access: Viewer, Handler: h.Show},
		{Name: "admin.message_template.decide", Method: http.MethodPost, Path: templates.Path + "/:id", Access: SuperAdmin, Handler: h.Decide},
	}
}
