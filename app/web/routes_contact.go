package web

import "net/http"

// contacts lists the pages on which administrators work enquiries.
func (a adminPages) contacts() []Route {
	h := a.pages
	return []Route{
		{Name: "admin.contacts", Method: http.MethodGet, Path: "/admin/contacts", Access: Viewer, Handler: h.Contacts},
		{Name: "admin.contacts.bulk", Method: http.MethodPost, Path: "/admin/contacts/bulk", Access: Editor, Handler: h.ChangeContacts},
		{Name: "admin.contacts.export", Method: http.MethodGet, Path: "/admin/contacts/export", Access: SuperAdmin, Handler: h.ExportContacts},
		{Name: "admin.contacts.erasure", Method: http.MethodPost, Path: "/admin/contacts/erasure", Access: SuperAdmin, Handler: h.EraseContact},
		{Name: "admin.contact_settings", Method: http.MethodGet, Path: "/admin/contacts/settings", Access: SuperAdmin, Handler: h.ContactSettings},
		{Name: "admin.contact_settings.save", Method: http.MethodPost, Path: "/admin/contacts/settings", Access: SuperAdmin, Handler: h.SaveContactSettings},
		{Name: "admin.contact_secret.show", Method: http.MethodGet, Path: "/admin/contacts/settings/secret", Access: SuperAdmin, Handler: h.ConfirmContactSecret},
		{Name: "admin.contact_secret", Method: http.MethodPost, Path: "/admin/contacts/settings/secret", Access: SuperAdmin, Handler: h.ReplaceContactSecret},
		{Name: "admin.contact", Method: http.MethodGet, Path: "/admin/contacts/:id", Access: Viewer, Handler: h.ShowContact},
		{Name: "admin.contact.status", Method: http.MethodPost, Path: "/admin/contacts/:id/status", Access: Editor, Handler: h.SetContactStatus},
		{Name: "admin.contact.assignee", Method: http.MethodPost, Path: "/admin/contacts/:id/assignee", Access: Editor, Handler: h.AssignContact},
		{Name: "admin.contact.note", Method: http.MethodPost, Path: "/admin/contacts/:id/notes", Access: Editor, Handler: h.AddContactNote},
		{Name: "admin.contact.retry", Method: http.MethodPost, Path: "/admin/contacts/:id/retry", Access: Editor, Handler: h.RetryContact},
	}
}
