package web

import (
	"net/http"
	"slices"

	"heliograph/app/people/identity"
	"heliograph/app/web/people/contacts"
	"heliograph/app/web/people/password"
	"heliograph/app/web/people/users"
)

// people lists the pages about users, partners and what they are told.
func people(s *Server) []Route {
	return slices.Concat(userRoutes(s), passwordRoutes(s), contactRoutes(s))
}

// userRoutes lists the pages on which Super Admins look after the accounts of administrators.
func userRoutes(s *Server) []Route {
	h := users.New(users.Deps{DB: s.deps.DB, Directory: s.directory, Administrators: identity.NewAdministrators(s.deps.DB, s.notifier())})
	return []Route{
		{Name: "admin.users", Method: http.MethodGet, Path: "/admin/users", Access: SuperAdmin, Handler: h.List},
		{Name: "admin.users.invite.show", Method: http.MethodGet, Path: "/admin/users/invite", Access: SuperAdmin, Handler: h.ShowInvite},
		{Name: "admin.users.invite", Method: http.MethodPost, Path: "/admin/users/invite", Access: SuperAdmin, Handler: h.Invite},
		{Name: "admin.users.show", Method: http.MethodGet, Path: "/admin/users/:id", Access: SuperAdmin, Handler: h.Show},
		{Name: "admin.users.role", Method: http.MethodPost, Path: "/admin/users/:id/role", Access: SuperAdmin, Handler: h.SetRole},
		{Name: "admin.users.activation.show", Method: http.MethodGet, Path: "/admin/users/:id/activation", Access: SuperAdmin, Handler: h.ConfirmDeactivate},
		{Name: "admin.users.activation", Method: http.MethodPost, Path: "/admin/users/:id/activation", Access: SuperAdmin, Handler: h.SetActive},
		{Name: "admin.users.products", Method: http.MethodPost, Path: "/admin/users/:id/products", Access: SuperAdmin, Handler: h.SetProducts},
		{Name: "admin.users.link", Method: http.MethodPost, Path: "/admin/users/:id/link", Access: SuperAdmin, Handler: h.SendLink},
		{Name: "admin.users.sessions.show", Method: http.MethodGet, Path: "/admin/users/:id/sessions/end", Access: SuperAdmin, Handler: h.ConfirmEndSessions},
		{Name: "admin.users.sessions", Method: http.MethodPost, Path: "/admin/users/:id/sessions/end", Access: SuperAdmin, Handler: h.EndSessions},
		{Name: "admin.users.deletion.show", Method: http.MethodGet, Path: "/admin/users/:id/deletion", Access: SuperAdmin, Handler: h.ConfirmDelete},
		{Name: "admin.users.deletion", Method: http.MethodPost, Path: "/admin/users/:id/deletion", Access: SuperAdmin, Handler: h.Delete},
	}
}

// passwordRoutes lists the pages of an administrator's own password, sessions and emails.
func passwordRoutes(s *Server) []Route {
	h := password.New(password.Deps{
		Directory: s.directory, Administrators: identity.NewAdministrators(s.deps.DB, s.notifier()), Gate: s.gates[identity.Administration], Limiter: s.limiter,
	})
	return []Route{
		{Name: "admin.forgot.show", Method: http.MethodGet, Path: "/admin/forgot-password", Access: AdminVisitor, Handler: h.ShowForgot},
		{Name: "admin.forgot", Method: http.MethodPost, Path: "/admin/forgot-password", Access: AdminVisitor, Handler: h.Forgot},
		{Name: "admin.reset.show", Method: http.MethodGet, Path: "/admin/reset-password", Access: AdminVisitor, Handler: h.ShowReset},
		{Name: "admin.reset", Method: http.MethodPost, Path: "/admin/reset-password", Access: AdminVisitor, Handler: h.Reset},
		{Name: "admin.password.show", Method: http.MethodGet, Path: "/admin/change-password", Access: Viewer, Handler: h.ShowChangePassword},
		{Name: "admin.password", Method: http.MethodPost, Path: "/admin/change-password", Access: Viewer, Handler: h.ChangePassword},
		{Name: "admin.review_emails", Method: http.MethodPost, Path: "/admin/change-password/emails", Access: Viewer, Handler: h.SetReviewEmails},
		{Name: "admin.sessions.end", Method: http.MethodPost, Path: "/admin/sessions/:id/end", Access: Viewer, Handler: h.EndSession},
		{Name: "admin.sessions.end_others", Method: http.MethodPost, Path: "/admin/sessions/end-others", Access: Viewer, Handler: h.EndOtherSessions},
	}
}

// contactRoutes lists the pages on which administrators work enquiries.
func contactRoutes(s *Server) []Route {
	h := contacts.New(contacts.Deps{DB: s.deps.DB, Contact: s.contacts(), Gate: s.gates[identity.Administration], Settings: s.deps.Settings, Signals: s.deps.Signals})
	return []Route{
		{Name: "admin.contacts", Method: http.MethodGet, Path: "/admin/contacts", Access: Viewer, Handler: h.List},
		{Name: "admin.contacts.bulk", Method: http.MethodPost, Path: "/admin/contacts/bulk", Access: Editor, Handler: h.ChangeMany},
		{Name: "admin.contacts.export", Method: http.MethodGet, Path: "/admin/contacts/export", Access: SuperAdmin, Handler: h.Export},
		{Name: "admin.contacts.erasure", Method: http.MethodPost, Path: "/admin/contacts/erasure", Access: SuperAdmin, Handler: h.Erase},
		{Name: "admin.contact_settings", Method: http.MethodGet, Path: "/admin/contacts/settings", Access: SuperAdmin, Handler: h.ShowSettings},
		{Name: "admin.contact_settings.save", Method: http.MethodPost, Path: "/admin/contacts/settings", Access: SuperAdmin, Handler: h.SaveSettings},
		{Name: "admin.contact_secret.show", Method: http.MethodGet, Path: "/admin/contacts/settings/secret", Access: SuperAdmin, Handler: h.ConfirmSecret},
		{Name: "admin.contact_secret", Method: http.MethodPost, Path: "/admin/contacts/settings/secret", Access: SuperAdmin, Handler: h.ReplaceSecret},
		{Name: "admin.contact", Method: http.MethodGet, Path: "/admin/contacts/:id", Access: Viewer, Handler: h.Show},
		{Name: "admin.contact.status", Method: http.MethodPost, Path: "/admin/contacts/:id/status", Access: Editor, Handler: h.SetStatus},
		{Name: "admin.contact.assignee", Method: http.MethodPost, Path: "/admin/contacts/:id/assignee", Access: Editor, Handler: h.Assign},
		{Name: "admin.contact.note", Method: http.MethodPost, Path: "/admin/contacts/:id/notes", Access: Editor, Handler: h.AddNote},
		{Name: "admin.contact.retry", Method: http.MethodPost, Path: "/admin/contacts/:id/retry", Access: Editor, Handler: h.Retry},
	}
}
