package web

import (
	"net/http"
	"time"

	"heliograph/app/channels"
	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/delivery"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/sms"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing"
	"heliograph/app/documentation/search"
	"heliograph/app/operation/queue"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/web/admin"
	"heliograph/app/web/login"
	"heliograph/app/web/page"
	"heliograph/app/web/portal"
	"heliograph/db"
	"heliograph/jobs/args"
	"heliograph/views/ui"
)

// adminDeps holds the dependencies of the administration's pages.
type adminDeps struct {
	// Settings say how SMS and emails are sent.
	Settings *setting.Settings
	// Jobs is the client of the job queues.
	Jobs jobClient
	// Imports brings API descriptions in; nil means that nothing can be stored.
	Imports *importing.Service
	// Carriers manages the carriers that operators set up.
	Carriers *delivery.Carriers
	// Signals notifies open pages of changes; may be nil.
	Signals *db.Signals
}

// jobClient looks after the job queues and adds jobs.
type jobClient interface {
	queue.River
	args.Inserter
}

// adminPages holds the handlers of the administration.
type adminPages struct {
	pages *admin.Handlers
	login *login.Handlers
}

func (s *Server) newAdmin(reader *portal.Pages) adminPages {
	d, gate := s.deps, s.gates[identity.Administration]
	pages := admin.New(admin.Deps{
		DB: d.DB, Zone: s.zone(), Directory: s.directory, Gate: gate, Limiter: s.limiter, Queues: queue.New(d.DB, d.Jobs),
		Administrators: identity.NewAdministrators(d.DB, s.notifier()),
		Words:          search.NewSynonyms(d.DB),
		Settings:       d.Settings, Notifications: d.Notifications, PublicURL: d.Config.PublicURL, Production: d.Config.Production(), Signals: d.Signals, SMS: d.SMS, HeaderDesk: sms.HeaderDesk{DB: d.DB, Mail: d.Notifications, PublicURL: d.Config.PublicURL}, Assets: messaging.NewAssets(d.DB, d.Keyring), Contact: s.contacts(), RCS: d.RCS, Suppressions: blocklist.NewLists(d.DB), Carriers: d.Carriers, TemplateDesk: messaging.TemplateDesk{DB: d.DB, Jobs: d.Jobs, Product: d.Config.ChannelWord}, Parking: &delivery.Parking{DB: d.DB, Jobs: d.Jobs, Channels: channels.All, Signals: d.Signals},
		Retention: d.DB, Documentation: d.DB, Scheduler: &editorial.Scheduler{DB: d.DB, Jobs: d.Jobs, Now: time.Now}, Catalogue: d.Catalogue, Reader: reader.Preview, Storage: d.Storage,
	})
	if d.Media != nil {
		pages.Drawings = d.Media
	}
	return adminPages{pages, login.New(login.Deps{
		Area: page.Administration, Directory: s.directory, Gate: gate, Limiter: s.limiter,
		Heading: "Sign in to the administration", Forgot: ui.Link{Label: "Forgot your password?", Href: "/admin/forgot-password"},
	})}
}

// visitors lists what an administrator needs to sign in and out.
func (a adminPages) visitors() []Route {
	return []Route{
		{Name: "admin.login.show", Method: http.MethodGet, Path: "/admin/login", Access: AdminVisitor, Handler: a.login.Show},
		{Name: "admin.login", Method: http.MethodPost, Path: "/admin/login", Access: AdminVisitor, Handler: a.login.Login},
		{Name: "admin.logout", Method: http.MethodPost, Path: "/admin/logout", Access: Viewer, Handler: a.login.Logout},
	}
}

// routes lists the pages of the administration.
func (a adminPages) routes() []Route {
	h := a.pages
	sms, email := h.SMSDelivery(), h.EmailDelivery()
	return []Route{
		{Name: "admin.home", Method: http.MethodGet, Path: "/admin", Access: Viewer, Handler: h.Home},
		{Name: "admin.edit", Method: http.MethodGet, Path: "/admin/edit", Access: Viewer, Handler: h.Edit},

		{Name: "admin.bots", Method: http.MethodGet, Path: "/admin/bots", Access: Viewer, Handler: h.Bots},
		{Name: "admin.bot", Method: http.MethodGet, Path: "/admin/bots/:id", Access: Viewer, Handler: h.Bot},
		{Name: "admin.bot.image", Method: http.MethodGet, Path: "/admin/bots/:id/images/:name", Access: Viewer, Handler: h.BotImage},
		{Name: "admin.bot.move", Method: http.MethodPost, Path: "/admin/bots/:id/moves", Access: SuperAdmin, Handler: h.MoveBot},
		{Name: "admin.bot.template", Method: http.MethodPost, Path: "/admin/bots/:id/templates", Access: SuperAdmin, Handler: h.ReviewBotTemplate},
		{Name: "admin.feedback", Method: http.MethodGet, Path: "/admin/feedback", Access: Viewer, Handler: h.Feedback},
		{Name: "admin.synonyms", Method: http.MethodGet, Path: "/admin/synonyms", Access: Editor, Handler: h.Synonyms},
		{Name: "admin.synonyms.add", Method: http.MethodPost, Path: "/admin/synonyms", Access: Editor, Handler: h.AddSynonym},
		{Name: "admin.synonyms.removal.show", Method: http.MethodGet, Path: "/admin/synonyms/:id/removal", Access: Editor, Handler: h.ConfirmRemoval},
		{Name: "admin.synonyms.removal", Method: http.MethodPost, Path: "/admin/synonyms/:id/removal", Access: Editor, Handler: h.RemoveSynonym},

		{Name: "admin.sms_settings.show", Method: http.MethodGet, Path: "/admin/sms-settings", Access: SuperAdmin, Handler: sms.Show},
		{Name: "admin.sms_settings", Method: http.MethodPost, Path: "/admin/sms-settings", Access: SuperAdmin, Handler: sms.Save},
		{Name: "admin.sms_settings.test", Method: http.MethodPost, Path: "/admin/sms-settings/test", Access: SuperAdmin, Handler: sms.Test},
		{Name: "admin.email_settings.show", Method: http.MethodGet, Path: "/admin/email-settings", Access: SuperAdmin, Handler: email.Show},
		{Name: "admin.email_settings", Method: http.MethodPost, Path: "/admin/email-settings", Access: SuperAdmin, Handler: email.Save},
		{Name: "admin.email_settings.test", Method: http.MethodPost, Path: "/admin/email-settings/test", Access: SuperAdmin, Handler: email.Test},
		{Name: "admin.notifications", Method: http.MethodGet, Path: "/admin/notifications", Access: SuperAdmin, Handler: h.NotificationLog},
		{Name: "admin.notifications.show", Method: http.MethodGet, Path: "/admin/notifications/:id", Access: SuperAdmin, Handler: h.Notification},
		{Name: "admin.notifications.resend", Method: http.MethodPost, Path: "/admin/notifications/:id/resend", Access: SuperAdmin, Handler: h.ResendNotification},
		{Name: "admin.messages", Method: http.MethodGet, Path: "/admin/messages", Access: SuperAdmin, Handler: h.Messages},
		{Name: "admin.messages.show", Method: http.MethodGet, Path: "/admin/messages/:id", Access: SuperAdmin, Handler: h.Message},
		{Name: "admin.inbox", Method: http.MethodGet, Path: "/admin/inbox", Access: SuperAdmin, Handler: h.Inbox},
		{Name: "admin.inbox.html", Method: http.MethodGet, Path: "/admin/inbox/:id/html", Access: SuperAdmin, Handler: h.InboxHTML},
	}
}

// organisations lists the pages about organisations.
func (a adminPages) organisations() []Route {
	h := a.pages
	const one = "/admin/organisations/:id"
	return []Route{
		{Name: "admin.organisations", Method: http.MethodGet, Path: "/admin/organisations", Access: Viewer, Handler: h.Organisations},
		{Name: "admin.organisations.show", Method: http.MethodGet, Path: one, Access: Viewer, Handler: h.Organisation},
		{Name: "admin.organisations.sms", Method: http.MethodGet, Path: one + "/sms", Access: Viewer, Handler: h.OrganisationSMS},
		{Name: "admin.organisations.sms.set", Method: http.MethodPost, Path: one + "/sms", Access: SuperAdmin, Handler: h.SetOrganisationSMS},
		{Name: "admin.organisations.sms.numbers", Method: http.MethodPost, Path: one + "/sms/numbers", Access: SuperAdmin, Handler: h.SetOrganisationNumbers},
		{Name: "admin.organisations.assets", Method: http.MethodGet, Path: one + "/assets", Access: Viewer, Handler: h.OrganisationAssets},
		{Name: "admin.organisations.assets.numbers", Method: http.MethodPost, Path: one + "/assets/numbers", Access: SuperAdmin, Handler: h.AddNumber},
		{Name: "admin.organisations.assets.accounts", Method: http.MethodPost, Path: one + "/assets/accounts", Access: SuperAdmin, Handler: h.AddAccount},
		{Name: "admin.organisations.assets.catalogues", Method: http.MethodPost, Path: one + "/assets/catalogues", Access: SuperAdmin, Handler: h.AddCatalogue},
		{Name: "admin.organisations.assets.removal.show", Method: http.MethodGet, Path: one + "/assets/:asset/removal", Access: SuperAdmin, Handler: h.ConfirmRemoveAsset},
		{Name: "admin.organisations.assets.removal", Method: http.MethodPost, Path: one + "/assets/:asset/removal", Access: SuperAdmin, Handler: h.RemoveAsset},
		{Name: "admin.organisations.activation", Method: http.MethodPost, Path: one + "/activation", Access: SuperAdmin, Handler: h.SetOrganisationActive},
		{Name: "admin.organisations.users.link", Method: http.MethodPost, Path: one + "/users/:user/link", Access: SuperAdmin, Handler: h.SendUserLink},
	}
}
