package web

import (
	"net/http"

	"heliograph/app/web/channels/parked"
)

// parked lists the pages of the desk for messages that wait for a person.
func (a adminPages) parked() []Route {
	h := a.pages.Parked()
	return []Route{
		{Name: "admin.parked_messages", Method: http.MethodGet, Path: parked.Path, Access: SuperAdmin, Handler: h.List},
		{Name: "admin.parked_message", Method: http.MethodGet, Path: parked.Path + "/:id", Access: SuperAdmin, Handler: h.Show},
		{Name: "admin.parked_message.decide", Method: http.MethodPost, Path: parked.Path + "/:id", Access: SuperAdmin, Handler: h.Decide},
	}
}
