package web

import "net/http"

// carriers lists the pages about the carriers that operators set up.
func (a adminPages) carriers() []Route {
	h := a.pages
	const one = "/admin/carriers/:id"
	return []Route{
		{Name: "admin.carriers", Method: http.MethodGet, Path: "/admin/carriers", Access: Viewer, Handler: h.CarriersPage},
		{Name: "admin.carriers.new", Method: http.MethodGet, Path: "/admin/carriers/new", Access: SuperAdmin, Handler: h.NewCarrier},
		{Name: "admin.carriers.add", Method: http.MethodPost, Path: "/admin/carriers", Access: SuperAdmin, Handler: h.AddCarrier},
		{Name: "admin.carriers.routes.set", Method: http.MethodPost, Path: "/admin/carriers/routes", Access: SuperAdmin, Handler: h.SetRoute},
		{Name: "admin.carriers.routes.removal.show", Method: http.MethodGet, Path: "/admin/carriers/routes/:id/removal", Access: SuperAdmin, Handler: h.ConfirmRemoveRoute},
		{Name: "admin.carriers.routes.removal", Method: http.MethodPost, Path: "/admin/carriers/routes/:id/removal", Access: SuperAdmin, Handler: h.RemoveRoute},
		{Name: "admin.carriers.show", Method: http.MethodGet, Path: one, Access: SuperAdmin, Handler: h.Carrier},
		{Name: "admin.carriers.set", Method: http.MethodPost, Path: one, Access: SuperAdmin, Handler: h.SetCarrier},
		{Name: "admin.carriers.test", Method: http.MethodPost, Path: one + "/test", Access: SuperAdmin, Handler: h.TestCarrier},
		{Name: "admin.carriers.disabling.show", Method: http.MethodGet, Path: one + "/disabling", Access: SuperAdmin, Handler: h.ConfirmDisableCarrier},
		{Name: "admin.carriers.disabling", Method: http.MethodPost, Path: one + "/disabling", Access: SuperAdmin, Handler: h.DisableCarrier},
		{Name: "admin.carriers.enabling", Method: http.MethodPost, Path: one + "/enabling", Access: SuperAdmin, Handler: h.EnableCarrier},
		{Name: "admin.carriers.renewal.show", Method: http.MethodGet, Path: one + "/renewal", Access: SuperAdmin, Handler: h.ConfirmRenewInbound},
		{Name: "admin.carriers.renewal", Method: http.MethodPost, Path: one + "/renewal", Access: SuperAdmin, Handler: h.RenewInbound},
		{Name: "admin.carriers.removal.show", Method: http.MethodGet, Path: one + "/removal", Access: SuperAdmin, Handler: h.ConfirmRemoveCarrier},
		{Name: "admin.carriers.removal", Method: http.MethodPost, Path: one + "/removal", Access: SuperAdmin, Handler: h.RemoveCarrier},
	}
}
