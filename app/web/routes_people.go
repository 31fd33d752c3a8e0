package web

import (
	"net/http"
	"slices"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/people/contacts"
	apikeys "heliograph/app/web/people/keys"
	"heliograph/app/web/people/notifications"
	"heliograph/app/web/people/organisations"
	"heliograph/app/web/people/password"
	"heliograph/app/web/people/pick"
	"heliograph/app/web/people/profile"
	"heliograph/app/web/people/registration"
	"heliograph/app/web/people/team"
	"heliograph/app/web/people/users"
)

// people lists the pages about users, partners and the messages that they get.
func people(s *Server) []Route {
	return slices.Concat(userRoutes(s), passwordRoutes(s), contactRoutes(s), organisationRoutes(s), notificationRoutes(s), teamRoutes(s), profileRoutes(s), keyRoutes(s))
}

// userRoutes lists the pages on which Super Admins look after the accounts of administrators.
func userRoutes(s *Server) []Route {
	h := &users.Handlers{DB: s.deps.DB, Directory: s.directory, Administrators: identity.NewAdministrators(s.deps.DB, newNotifier(s))}
	return []Route{
		{Name: "admin.users", Method: http.MethodGet, Path: "/admin/users", Access: SuperAdmin, Handler: page.Asked(h.List)},
		{Name: "admin.users.invite.show", Method: http.MethodGet, Path: "/admin/users/invite", Access: SuperAdmin, Handler: h.ShowInvite},
		{Name: "admin.users.invite", Method: http.MethodPost, Path: "/admin/users/invite", Access: SuperAdmin, Handler: page.Form(h.Invite)},
		{Name: "admin.users.show", Method: http.MethodGet, Path: "/admin/users/:id", Access: SuperAdmin, Handler: page.WithID(h.Show)},
		{Name: "admin.users.role", Method: http.MethodPost, Path: "/admin/users/:id/role", Access: SuperAdmin, Handler: h.SetRole},
		{Name: "admin.users.activation", Method: http.MethodPost, Path: "/admin/users/:id/activation", Access: SuperAdmin, Handler: h.SetActive, Ask: h.AskDeactivate},
		{Name: "admin.users.products", Method: http.MethodPost, Path: "/admin/users/:id/products", Access: SuperAdmin, Handler: h.SetProducts},
		{Name: "admin.users.link", Method: http.MethodPost, Path: "/admin/users/:id/link", Access: SuperAdmin, Handler: h.SendLink},
		{Name: "admin.users.sessions", Method: http.MethodPost, Path: "/admin/users/:id/sessions/end", Access: SuperAdmin, Handler: h.EndSessions, Ask: h.AskEndSessions},
		{Name: "admin.users.deletion", Method: http.MethodPost, Path: "/admin/users/:id/deletion", Access: SuperAdmin, Handler: h.Remove, Ask: h.AskRemove},
	}
}

// passwordRoutes lists the pages of an administrator's own password, sessions and emails.
func passwordRoutes(s *Server) []Route {
	h := &password.Handlers{
		Directory: s.directory, Administrators: identity.NewAdministrators(s.deps.DB, newNotifier(s)), Gate: s.gates[identity.Administration], Limiter: s.limiter,
	}
	return []Route{
		{Name: "admin.forgot.show", Method: http.MethodGet, Path: "/admin/forgot-password", Access: AdminVisitor, Handler: h.ShowForgot},
		{Name: "admin.forgot", Method: http.MethodPost, Path: "/admin/forgot-password", Access: AdminVisitor, Handler: page.Form(h.Forgot)},
		{Name: "admin.reset.show", Method: http.MethodGet, Path: "/admin/reset-password", Access: AdminVisitor, Handler: h.ShowReset},
		{Name: "admin.reset", Method: http.MethodPost, Path: "/admin/reset-password", Access: AdminVisitor, Handler: page.Form(h.Reset)},
		{Name: "admin.password.show", Method: http.MethodGet, Path: "/admin/change-password", Access: Viewer, Handler: h.ShowChangePassword},
		{Name: "admin.password", Method: http.MethodPost, Path: "/admin/change-password", Access: Viewer, Handler: page.Form(h.ChangePassword)},
		{Name: "admin.review_emails", Method: http.MethodPost, Path: "/admin/change-password/emails", Access: Viewer, Handler: h.SetReviewEmails},
		{Name: "admin.sessions.end", Method: http.MethodPost, Path: "/admin/sessions/:id/end", Access: Viewer, Handler: h.EndSession},
		{Name: "admin.sessions.end_others", Method: http.MethodPost, Path: "/admin/sessions/end-others", Access: Viewer, Handler: h.EndOtherSessions},
	}
}

// contactRoutes lists the pages on which administrators work enquiries.
func contactRoutes(s *Server) []Route {
	h := &contacts.Handlers{DB: s.deps.DB, Contact: newContacts(s), Gate: s.gates[identity.Administration], Settings: s.deps.Settings, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.contacts", Method: http.MethodGet, Path: "/admin/contacts", Access: Viewer, Handler: page.Asked(h.List)},
		{Name: "admin.contacts.bulk", Method: http.MethodPost, Path: "/admin/contacts/bulk", Access: Editor, Handler: h.ChangeMany},
		{Name: "admin.contacts.export", Method: http.MethodGet, Path: "/admin/contacts/export", Access: SuperAdmin, Handler: page.Asked(h.Export)},
		{Name: "admin.contacts.erasure", Method: http.MethodPost, Path: "/admin/contacts/erasure", Access: SuperAdmin, Handler: h.Erase},
		{Name: "admin.contact_settings", Method: http.MethodGet, Path: "/admin/contacts/settings", Access: SuperAdmin, Handler: h.ShowSettings},
		{Name: "admin.contact_settings.save", Method: http.MethodPost, Path: "/admin/contacts/settings", Access: SuperAdmin, Handler: page.Form(h.SaveSettings)},
		{Name: "admin.contact_secret", Method: http.MethodPost, Path: "/admin/contacts/settings/secret", Access: SuperAdmin, Handler: h.ReplaceSecret, Ask: h.AskSecret},
		{Name: "admin.contact", Method: http.MethodGet, Path: "/admin/contacts/:id", Access: Viewer, Handler: h.Show},
		{Name: "admin.contact.status", Method: http.MethodPost, Path: "/admin/contacts/:id/status", Access: Editor, Handler: h.SetStatus},
		{Name: "admin.contact.assignee", Method: http.MethodPost, Path: "/admin/contacts/:id/assignee", Access: Editor, Handler: h.Assign},
		{Name: "admin.contact.note", Method: http.MethodPost, Path: "/admin/contacts/:id/notes", Access: Editor, Handler: h.AddNote},
		{Name: "admin.contact.retry", Method: http.MethodPost, Path: "/admin/contacts/:id/retry", Access: Editor, Handler: h.Retry},
	}
}

// organisationRoutes lists the pages about organisations.
func organisationRoutes(s *Server) []Route {
	h := &organisations.Handlers{DB: s.deps.DB, Administrators: identity.NewAdministrators(s.deps.DB, newNotifier(s)), Assets: assets.New(s.deps.DB, s.deps.Keyring), SMS: s.deps.SMS}
	return []Route{
		{Name: "admin.organisations", Method: http.MethodGet, Path: "/admin/organisations", Access: Viewer, Handler: page.Asked(h.List)},
		{Name: "admin.organisations.add.show", Method: http.MethodGet, Path: "/admin/organisations/new", Access: SuperAdmin, Handler: h.ShowAdd},
		{Name: "admin.organisations.add", Method: http.MethodPost, Path: "/admin/organisations/new", Access: SuperAdmin, Handler: h.Add},
		{Name: "admin.organisations.choices", Method: http.MethodGet, Path: pick.Path, Access: Viewer, Handler: pick.New(s.deps.DB).Choices},
		{Name: "admin.organisations.show", Method: http.MethodGet, Path: "/admin/organisations/:id", Access: Viewer, Handler: page.WithID(h.Show)},
		{Name: "admin.organisations.sms", Method: http.MethodGet, Path: "/admin/organisations/:id" + "/sms", Access: Viewer, Handler: page.WithID(h.ShowSMS)},
		{Name: "admin.organisations.sms.set", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/sms", Access: SuperAdmin, Handler: page.WithID(h.SetSMS)},
		{Name: "admin.organisations.sms.numbers", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/sms/numbers", Access: SuperAdmin, Handler: page.WithID(h.SetNumbers)},
		{Name: "admin.organisations.assets", Method: http.MethodGet, Path: "/admin/organisations/:id" + "/assets", Access: Viewer, Handler: page.WithID(h.ShowAssets)},
		{Name: "admin.organisations.assets.numbers", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/assets/numbers", Access: SuperAdmin, Handler: h.AddNumber},
		{Name: "admin.organisations.assets.accounts", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/assets/accounts", Access: SuperAdmin, Handler: h.AddAccount},
		{Name: "admin.organisations.assets.catalogues", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/assets/catalogues", Access: SuperAdmin, Handler: h.AddCatalogue},
		{Name: "admin.organisations.assets.removal", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/assets/:asset/removal", Access: SuperAdmin, Handler: h.RemoveAsset, Ask: h.AskRemoveAsset},
		{Name: "admin.organisations.activation", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/activation", Access: SuperAdmin, Handler: page.WithID(h.SetActive)},
		{Name: "admin.organisations.users.link", Method: http.MethodPost, Path: "/admin/organisations/:id" + "/users/:user/link", Access: SuperAdmin, Handler: page.WithID(h.SendLink)},
	}
}

// notificationRoutes lists the log of emails and codes, and the inbox.
func notificationRoutes(s *Server) []Route {
	h := &notifications.Handlers{DB: s.deps.DB, Notifications: s.deps.Notifications, Settings: s.deps.Settings, PublicURL: s.deps.Config.PublicURL}
	return []Route{
		{Name: "admin.notifications", Method: http.MethodGet, Path: "/admin/notifications", Access: SuperAdmin, Handler: page.Asked(h.List)},
		{Name: "admin.notifications.show", Method: http.MethodGet, Path: "/admin/notifications/:id", Access: SuperAdmin, Handler: h.Show},
		{Name: "admin.notifications.resend", Method: http.MethodPost, Path: "/admin/notifications/:id/resend", Access: SuperAdmin, Handler: h.Resend},
		{Name: "admin.inbox", Method: http.MethodGet, Path: "/admin/inbox", Access: SuperAdmin, Handler: page.Asked(h.Inbox)},
		{Name: "admin.inbox.html", Method: http.MethodGet, Path: "/admin/inbox/:id/html", Access: SuperAdmin, Handler: h.InboxHTML},
	}
}

// registrationRoutes lists the pages on which an organisation registers and its users get
// back in.
func registrationRoutes(h *registration.Handlers) []Route {
	return []Route{
		{Name: "register.show", Method: http.MethodGet, Path: "/register", Access: Visitor, Handler: h.ShowRegister},
		{Name: "register", Method: http.MethodPost, Path: "/register", Access: Visitor, Handler: page.Form(h.Register)},
		{Name: "register.verify.show", Method: http.MethodGet, Path: "/register/verify", Access: Visitor, Handler: h.ShowVerify},
		{Name: "register.verify", Method: http.MethodPost, Path: "/register/verify", Access: Visitor, Handler: page.Form(h.Verify)},
		{Name: "register.resend", Method: http.MethodPost, Path: "/register/resend", Access: Visitor, Handler: h.ResendRegistration},
		{Name: "forgot.show", Method: http.MethodGet, Path: "/forgot-password", Access: Visitor, Handler: h.ShowForgot},
		{Name: "forgot", Method: http.MethodPost, Path: "/forgot-password", Access: Visitor, Handler: page.Form(h.Forgot)},
		{Name: "forgot.reset.show", Method: http.MethodGet, Path: "/forgot-password/reset", Access: Visitor, Handler: h.ShowReset},
		{Name: "forgot.reset", Method: http.MethodPost, Path: "/forgot-password/reset", Access: Visitor, Handler: page.Form(h.Reset)},
		{Name: "reset_link.show", Method: http.MethodGet, Path: "/reset-password", Access: Visitor, Handler: h.ShowResetLink},
		{Name: "reset_link", Method: http.MethodPost, Path: "/reset-password", Access: Visitor, Handler: page.Form(h.ResetByLink)},
		{Name: "forgot.resend", Method: http.MethodPost, Path: "/forgot-password/resend", Access: Visitor, Handler: h.ResendRecovery},
	}
}

// teamRoutes lists the pages about the colleagues of an organisation.
func teamRoutes(s *Server) []Route {
	h := &team.Handlers{DB: s.deps.DB, Team: identity.NewTeam(s.deps.DB, newNotifier(s)), Enrolment: enrolment(s), Limiter: s.limiter, Gate: s.gates[identity.Account]}
	return []Route{
		{Name: "account.team", Method: http.MethodGet, Path: "/account/team", Access: Owner, Handler: h.List},
		{Name: "account.team.invite", Method: http.MethodPost, Path: "/account/team/invitations", Access: Owner, Handler: page.Form(h.Invite)},
		{Name: "account.team.resend", Method: http.MethodPost, Path: "/account/team/invitations/:id/resend", Access: Owner, Handler: page.WithID(h.ResendInvitation)},
		{Name: "account.team.withdraw", Method: http.MethodPost, Path: "/account/team/invitations/:id/withdraw", Access: Owner, Handler: page.WithID(h.WithdrawInvitation)},
		{Name: "account.colleague", Method: http.MethodGet, Path: "/account/team/:id", Access: Owner, Handler: h.Show},
		{Name: "account.colleague.role", Method: http.MethodPost, Path: "/account/team/:id/role", Access: Owner, Handler: h.ChangeRole},
		{Name: "account.colleague.activate", Method: http.MethodPost, Path: "/account/team/:id/activate", Access: Owner, Handler: h.Activate},
		{Name: "account.colleague.link", Method: http.MethodPost, Path: "/account/team/:id/link", Access: Owner, Handler: h.SendLink},
		{Name: "account.colleague.deactivate", Method: http.MethodPost, Path: "/account/team/:id/deactivate", Access: Owner, Handler: h.Deactivate, Ask: h.AskDeactivate},
		{Name: "account.colleague.remove", Method: http.MethodPost, Path: "/account/team/:id/remove", Access: Owner, Handler: h.Remove, Ask: h.AskRemove},
		{Name: "account.invitation.show", Method: http.MethodGet, Path: "/account/invitation", Access: Visitor, Handler: h.ShowInvitation},
		{Name: "account.invitation", Method: http.MethodPost, Path: "/account/invitation", Access: Visitor, Handler: page.Form(h.AcceptInvitation)},
	}
}

// profileRoutes lists the pages of a user's own profile.
func profileRoutes(s *Server) []Route {
	h := &profile.Handlers{DB: s.deps.DB, Directory: s.directory, Enrolment: enrolment(s), Limiter: s.limiter, Gate: s.gates[identity.Account]}
	return []Route{
		{Name: "account.profile", Method: http.MethodGet, Path: "/account/profile", Access: Member, Handler: h.Show},
		{Name: "account.profile.name", Method: http.MethodPost, Path: "/account/profile/name", Access: Member, Handler: h.Rename},
		{Name: "account.profile.organisation", Method: http.MethodPost, Path: "/account/profile/organisation", Access: Owner, Handler: h.RenameOrganisation},
		{Name: "account.profile.mobile", Method: http.MethodPost, Path: "/account/profile/mobile", Access: Member, Handler: page.Form(h.ChangeMobile)},
		{Name: "account.profile.mobile.show", Method: http.MethodGet, Path: "/account/profile/mobile", Access: Member, Handler: h.ShowMobile},
		{Name: "account.profile.mobile.verify", Method: http.MethodPost, Path: "/account/profile/mobile/verify", Access: Member, Handler: page.Form(h.VerifyMobile)},
		{Name: "account.profile.mobile.resend", Method: http.MethodPost, Path: "/account/profile/mobile/resend", Access: Member, Handler: h.ResendMobile},
		{Name: "account.profile.password", Method: http.MethodPost, Path: "/account/profile/password", Access: Member, Handler: h.ChangePassword},
		{Name: "account.sessions.end", Method: http.MethodPost, Path: "/account/profile/sessions/:id/end", Access: Member, Handler: h.EndSession},
		{Name: "account.sessions.end_others", Method: http.MethodPost, Path: "/account/profile/sessions/end-others", Access: Member, Handler: h.EndOtherSessions},
	}
}

// keyRoutes lists the pages of the API keys of an organisation.
func keyRoutes(s *Server) []Route {
	h := &apikeys.Handlers{DB: s.deps.DB, Directory: s.directory, Gate: s.gates[identity.Account]}
	return []Route{
		{Name: "account.keys", Method: http.MethodGet, Path: "/account/keys", Access: Member, Handler: h.List},
		{Name: "account.keys.create", Method: http.MethodPost, Path: "/account/keys", Access: Developer, Handler: page.Form(h.Create)},
		{Name: "account.keys.revoke", Method: http.MethodPost, Path: "/account/keys/:id/revoke", Access: Developer, Handler: page.WithID(h.Revoke), Ask: h.AskRevoke},
	}
}
