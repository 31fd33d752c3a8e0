package web

import (
	"net/http"
	"slices"

	"heliograph/app/channels/messaging"
	"heliograph/app/people/identity"
	"heliograph/app/web/people/contacts"
	"heliograph/app/web/people/notifications"
	"heliograph/app/web/people/organisations"
	"heliograph/app/web/people/password"
	"heliograph/app/web/people/users"
)

// people lists the pages about users, partners and the messages that they get.
func people(s *Server) []Route {
	return slices.Concat(userRoutes(s), passwordRoutes(s), contactRoutes(s), organisationRoutes(s), notificationRoutes(s))
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

// organisationRoutes lists the pages about organisations.
func organisationRoutes(s *Server) []Route {
	h := organisations.New(organisations.Deps{DB: s.deps.DB, Administrators: identity.NewAdministrators(s.deps.DB, s.notifier()), Assets: messaging.NewAssets(s.deps.DB, s.deps.Keyring), SMS: s.deps.SMS})
	return []Route{
		{Name: "admin.organisations", Method: http.MethodGet, Path: "/admin/organisations", Access: Viewer, Handler: h.List},
		{Name: "admin.organisations.show", Method: http.MethodGet, Path: "/admin/organisations/:id", Access: Viewer, Handler: h.Show},
		{Name: "admin.organisations.sms", Method: http.MethodGet, Path: "/admin/organisations/:id" + "/sms", Access: Viewer, Handler: h.ShowSMS},
		{Name: "admin.organisations.sms.set", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/sms", Access: SuperAdmin, Handler: h.SetSMS},
		{Name: "admin.organisations.sms.numbers", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/sms/numbers", Access: SuperAdmin, Handler: h.SetNumbers},
		{Name: "admin.organisations.assets", Method: http.MethodGet, Path: "/admin/organisations/:id" + "/assets", Access: Viewer, Handler: h.ShowAssets},
		{Name: "admin.organisations.assets.numbers", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/assets/numbers", Access: SuperAdmin, Handler: h.AddNumber},
		{Name: "admin.organisations.assets.accounts", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/assets/accounts", Access: SuperAdmin, Handler: h.AddAccount},
		{Name: "admin.organisations.assets.catalogues", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/assets/catalogues", Access: SuperAdmin, Handler: h.AddCatalogue},
		{Name: "admin.organisations.assets.removal.show", Method: http.MethodGet, Path: "/admin/organisations/:id" + "/assets/:asset/removal", Access: SuperAdmin, Handler: h.ConfirmRemoveAsset},
		{Name: "admin.organisations.assets.removal", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/assets/:asset/removal", Access: SuperAdmin, Handler: h.RemoveAsset},
		{Name: "admin.organisations.activation", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/activation", Access: SuperAdmin, Handler: h.SetActive},
		{Name: "admin.organisations.users.link", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/users/:user/link", Access: SuperAdmin, Handler: h.SendLink},
	}
}

// notificationRoutes lists the log of emails and codes, and the inbox.
func notificationRoutes(s *Server) []Route {
	h := notifications.New(notifications.Deps{DB: s.deps.DB, Notifications: s.deps.Notifications, Settings: s.deps.Settings, PublicURL: s.deps.Config.PublicURL})
	return []Route{
		{Name: "admin.notifications", Method: http.MethodGet, Path: "/admin/notifications", Access: SuperAdmin, Handler: h.List},
		{Name: "admin.notifications.show", Method: http.MethodGet, Path: "/admin/notifications/:id", Access: SuperAdmin, Handler: h.Show},
		{Name: "admin.notifications.resend", Method: http.MethodPost, Path: "/admin/notifications/:id/resend", Access: SuperAdmin, Handler: h.Resend},
		{Name: "admin.inbox", Method: http.MethodGet, Path: "/admin/inbox", Access: SuperAdmin, Handler: h.Inbox},
		{Name: "admin.inbox.html", Method: http.MethodGet, Path: "/admin/inbox/:id/html", Access: SuperAdmin, Handler: h.InboxHTML},
	}
}
