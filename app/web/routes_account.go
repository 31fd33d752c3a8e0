package web

import (
	"context"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/people/identity"
	"heliograph/app/web/account"
	"heliograph/app/web/login"
	"heliograph/app/web/page"
	"heliograph/app/web/people/registration"
	"heliograph/views/ui"
)

// accountDeps holds the dependencies of the organisations' pages.
type accountDeps struct {
	// Provision gives a verified organisation what it tries the channels with.
	Provision func(ctx context.Context, tx pgx.Tx, organisationID int64, name string) error
	// Webhooks looks after where callbacks go.
	Webhooks *messaging.Webhooks
	// SMS manages what organisations send SMS with.
	SMS *sms.Registry
	// RCS holds the bots of all organisations.
	RCS *rcs.Service
	// Ranges takes callbacks at addresses of ours; nil where there are none.
	Ranges *webhookrange.Service
}

// accountPages holds the handlers of the organisations' pages.
type accountPages struct {
	pages        *account.Handlers
	registration *registration.Handlers
	login        *login.Handlers
}

// enrolment returns the rule by which organisations register and users prove their numbers.
func enrolment(s *Server) *identity.Enrolment {
	d := s.deps
	return &identity.Enrolment{
		DB: d.DB, Keyring: d.Keyring, Limiter: s.limiter, Notifications: d.Notifications,
		Provision: d.Provision, PublicURL: d.Config.PublicURL,
	}
}

func newAccount(s *Server) accountPages {
	d, gate := s.deps, s.gates[identity.Account]
	pages := account.New(account.Deps{
		DB: d.DB, Directory: s.directory, Gate: gate,
		PublicURL: d.Config.PublicURL, Word: d.Config.ChannelWord, Webhooks: d.Webhooks, SMSRegistry: d.SMS, RCS: d.RCS, Suppressions: blocklist.NewLists(d.DB),
		Quotas: messaging.Quotas{Stored: int64(d.Config.StoredFiles) << 20, Daily: int64(d.Config.DailyUploads) << 20},
		Staff:  s.gates[identity.Administration].Recognize,
	})
	enrol := registration.New(registration.Deps{Enrolment: enrolment(s), Gate: gate, Limiter: s.limiter, Team: identity.NewTeam(d.DB, newNotifier(s))})
	return accountPages{pages, enrol, login.New(login.Deps{
		Area: page.Account, Directory: s.directory, Gate: gate, Limiter: s.limiter, Heading: "Sign in",
		Forgot:   ui.Link{Label: "Forgot your password?", Href: "/forgot-password"},
		Register: ui.Link{Label: "Register an organisation", Href: "/register"},
		Pending:  enrol.Pending,
	})}
}

// visitors lists what a user needs before and to sign in, and to sign out.
func (a accountPages) visitors() []Route {
	return slices.Concat(registrationRoutes(a.registration), []Route{
		{Name: "account.link", Method: http.MethodGet, Path: "/account/link", Access: Visitor, Handler: a.pages.Link},
		{Name: "login.show", Method: http.MethodGet, Path: "/login", Access: Visitor, Handler: a.login.Show},
		{Name: "login", Method: http.MethodPost, Path: "/login", Access: Visitor, Handler: a.login.Login},
		{Name: "logout", Method: http.MethodPost, Path: "/logout", Access: Member, Handler: a.login.Logout},
	})
}

// members lists the pages on which an organisation looks after itself.
func (a accountPages) members() []Route {
	h := a.pages
	return []Route{
		{Name: "account", Method: http.MethodGet, Path: "/account", Access: Member, Handler: h.Home},
		{Name: "account.first_key", Method: http.MethodPost, Path: "/account/first-key", Access: Developer, Handler: h.CreateFirstKey},
	}
}

// sms lists the pages about what an organisation sends SMS with.
func (a accountPages) sms() []Route {
	h := a.pages
	return []Route{
		{Name: "account.sms.reports", Method: http.MethodGet, Path: "/account/sms/reports", Access: Member, Handler: h.SMSReports},
		{Name: "account.sms.reports.set", Method: http.MethodPost, Path: "/account/sms/reports", Access: Developer, Handler: h.SetSMSReports},
		{Name: "account.sms.reports.secret", Method: http.MethodPost, Path: "/account/sms/reports/secret", Access: Developer, Handler: h.RevealSMSSecret},
		{Name: "account.sms.reports.secret.rotate", Method: http.MethodPost, Path: "/account/sms/reports/secret/rotate", Access: Developer, Handler: h.RotateSMSSecret},
		{Name: "account.sms.reports.secret.retire.show", Method: http.MethodGet, Path: "/account/sms/reports/secret/retire", Access: Developer, Handler: h.ConfirmRetireSMSSecret},
		{Name: "account.sms.reports.secret.retire", Method: http.MethodPost, Path: "/account/sms/reports/secret/retire", Access: Developer, Handler: h.RetireSMSSecret},
		{Name: "account.sms.reports.enable", Method: http.MethodPost, Path: "/account/sms/reports/enable", Access: Developer, Handler: h.EnableSMSReports},
		{Name: "account.sms.reports.replay.show", Method: http.MethodGet, Path: "/account/sms/reports/replay", Access: Developer, Handler: h.ConfirmReplaySMSReports},
		{Name: "account.sms.reports.replay", Method: http.MethodPost, Path: "/account/sms/reports/replay", Access: Developer, Handler: h.ReplaySMSReports},
		{Name: "account.sms.reports.test", Method: http.MethodPost, Path: "/account/sms/reports/test", Access: Developer, Handler: h.TestSMSReports},
	}
}

// bots lists the pages about what an organisation sends RCS messages with.
func (a accountPages) bots() []Route {
	h := a.pages
	const one = "/account/bots/:id"
	return []Route{
		{Name: "account.bots", Method: http.MethodGet, Path: "/account/bots", Access: Member, Handler: h.Bots},
		{Name: "account.bot", Method: http.MethodGet, Path: one, Access: Member, Handler: h.Bot},
		{Name: "account.bot.image", Method: http.MethodGet, Path: one + "/images/:name", Access: Member, Handler: h.BotImage},
		{Name: "account.bot.answers", Method: http.MethodPost, Path: one + "/answers", Access: Developer, Handler: h.PlayRecipient},
		{Name: "account.bot.client_secret", Method: http.MethodPost, Path: one + "/client-secret", Access: Developer, Handler: h.IssueBotSecret},
		{Name: "account.bot.devices", Method: http.MethodPost, Path: one + "/devices", Access: Developer, Handler: h.InviteDevice},
		{Name: "account.bot.webhook", Method: http.MethodGet, Path: one + "/webhook", Access: Member, Handler: h.BotWebhook},
		{Name: "account.bot.webhook.set", Method: http.MethodPost, Path: one + "/webhook", Access: Developer, Handler: h.SetBotWebhook},
		{Name: "account.bot.webhook.secret", Method: http.MethodPost, Path: one + "/webhook/secret", Access: Developer, Handler: h.RevealBotSecret},
		{Name: "account.bot.webhook.rotate", Method: http.MethodPost, Path: one + "/webhook/secret/rotate", Access: Developer, Handler: h.RotateBotSecret},
		{Name: "account.bot.webhook.enable", Method: http.MethodPost, Path: one + "/webhook/enable", Access: Developer, Handler: h.EnableBotWebhook},
		{Name: "account.bot.webhook.replay.show", Method: http.MethodGet, Path: one + "/webhook/replay", Access: Developer, Handler: h.ConfirmReplayBotWebhook},
		{Name: "account.bot.webhook.replay", Method: http.MethodPost, Path: one + "/webhook/replay", Access: Developer, Handler: h.ReplayBotWebhook},
		{Name: "account.bot.webhook.test", Method: http.MethodPost, Path: one + "/webhook/test", Access: Developer, Handler: h.TestBotWebhook},
	}
}
