package web

import (
	"context"
	"net/http"

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
	pages *account.Handlers
	login *login.Handlers
}

func (s *Server) newAccount() accountPages {
	d, gate := s.deps, s.gates[identity.Account]
	pages := account.New(account.Deps{
		DB: d.DB, Directory: s.directory, Gate: gate, Limiter: s.limiter,
		Team:      identity.NewTeam(d.DB, s.notifier()),
		PublicURL: d.Config.PublicURL, Word: d.Config.ChannelWord, Webhooks: d.Webhooks, SMSRegistry: d.SMS, RCS: d.RCS, Assets: messaging.NewAssets(d.DB, d.Keyring), Suppressions: blocklist.NewLists(d.DB),
		Quotas: messaging.Quotas{Stored: int64(d.Config.StoredFiles) << 20, Daily: int64(d.Config.DailyUploads) << 20},
		Staff:  s.gates[identity.Administration].Recognize,
		Enrolment: &identity.Enrolment{
			DB: d.DB, Keyring: d.Keyring, Limiter: s.limiter, Notifications: d.Notifications,
			Provision: d.Provision, PublicURL: d.Config.PublicURL,
		},
	})
	return accountPages{pages, login.New(login.Deps{
		Area: page.Account, Directory: s.directory, Gate: gate, Limiter: s.limiter, Heading: "Sign in",
		Forgot:   ui.Link{Label: "Forgot your password?", Href: "/forgot-password"},
		Register: ui.Link{Label: "Register an organisation", Href: "/register"},
		Pending:  pages.Pending,
	})}
}

// visitors lists what a user needs before and to sign in, and to sign out.
func (a accountPages) visitors() []Route {
	return []Route{
		{Name: "account.link", Method: http.MethodGet, Path: "/account/link", Access: Visitor, Handler: a.pages.Link},
		{Name: "login.show", Method: http.MethodGet, Path: "/login", Access: Visitor, Handler: a.login.Show},
		{Name: "login", Method: http.MethodPost, Path: "/login", Access: Visitor, Handler: a.login.Login},
		{Name: "logout", Method: http.MethodPost, Path: "/logout", Access: Member, Handler: a.login.Logout},
		{Name: "register.show", Method: http.MethodGet, Path: "/register", Access: Visitor, Handler: a.pages.ShowRegister},
		{Name: "register", Method: http.MethodPost, Path: "/register", Access: Visitor, Handler: a.pages.Register},
		{Name: "register.verify.show", Method: http.MethodGet, Path: "/register/verify", Access: Visitor, Handler: a.pages.ShowVerify},
		{Name: "register.verify", Method: http.MethodPost, Path: "/register/verify", Access: Visitor, Handler: a.pages.Verify},
		{Name: "register.resend", Method: http.MethodPost, Path: "/register/resend", Access: Visitor, Handler: a.pages.ResendRegistration},
		{Name: "forgot.show", Method: http.MethodGet, Path: "/forgot-password", Access: Visitor, Handler: a.pages.ShowForgot},
		{Name: "forgot", Method: http.MethodPost, Path: "/forgot-password", Access: Visitor, Handler: a.pages.Forgot},
		{Name: "forgot.reset.show", Method: http.MethodGet, Path: "/forgot-password/reset", Access: Visitor, Handler: a.pages.ShowReset},
		{Name: "forgot.reset", Method: http.MethodPost, Path: "/forgot-password/reset", Access: Visitor, Handler: a.pages.Reset},
		{Name: "reset_link.show", Method: http.MethodGet, Path: "/reset-password", Access: Visitor, Handler: a.pages.ShowResetLink},
		{Name: "reset_link", Method: http.MethodPost, Path: "/reset-password", Access: Visitor, Handler: a.pages.ResetByLink},
		{Name: "forgot.resend", Method: http.MethodPost, Path: "/forgot-password/resend", Access: Visitor, Handler: a.pages.ResendRecovery},
	}
}

// members lists the pages on which an organisation looks after itself.
func (a accountPages) members() []Route {
	h := a.pages
	return []Route{
		{Name: "account", Method: http.MethodGet, Path: "/account", Access: Member, Handler: h.Home},
		{Name: "account.first_key", Method: http.MethodPost, Path: "/account/first-key", Access: Developer, Handler: h.CreateFirstKey},

		{Name: "account.keys", Method: http.MethodGet, Path: "/account/keys", Access: Member, Handler: h.Keys},
		{Name: "account.keys.create", Method: http.MethodPost, Path: "/account/keys", Access: Developer, Handler: h.CreateKey},
		{Name: "account.keys.revoke.show", Method: http.MethodGet, Path: "/account/keys/:id/revoke", Access: Developer, Handler: h.ConfirmRevoke},
		{Name: "account.keys.revoke", Method: http.MethodPost, Path: "/account/keys/:id/revoke", Access: Developer, Handler: h.RevokeKey},

		{Name: "account.team", Method: http.MethodGet, Path: "/account/team", Access: Owner, Handler: h.Colleagues},
		{Name: "account.team.invite", Method: http.MethodPost, Path: "/account/team/invitations", Access: Owner, Handler: h.Invite},
		{Name: "account.team.resend", Method: http.MethodPost, Path: "/account/team/invitations/:id/resend", Access: Owner, Handler: h.ResendInvitation},
		{Name: "account.team.withdraw", Method: http.MethodPost, Path: "/account/team/invitations/:id/withdraw", Access: Owner, Handler: h.WithdrawInvitation},
		{Name: "account.colleague", Method: http.MethodGet, Path: "/account/team/:id", Access: Owner, Handler: h.Colleague},
		{Name: "account.colleague.role", Method: http.MethodPost, Path: "/account/team/:id/role", Access: Owner, Handler: h.ChangeRole},
		{Name: "account.colleague.activate", Method: http.MethodPost, Path: "/account/team/:id/activate", Access: Owner, Handler: h.Activate},
		{Name: "account.colleague.link", Method: http.MethodPost, Path: "/account/team/:id/link", Access: Owner, Handler: h.SendLink},
		{Name: "account.colleague.deactivate.show", Method: http.MethodGet, Path: "/account/team/:id/deactivate", Access: Owner, Handler: h.ConfirmDeactivate},
		{Name: "account.colleague.deactivate", Method: http.MethodPost, Path: "/account/team/:id/deactivate", Access: Owner, Handler: h.Deactivate},
		{Name: "account.colleague.remove.show", Method: http.MethodGet, Path: "/account/team/:id/remove", Access: Owner, Handler: h.ConfirmRemove},
		{Name: "account.colleague.remove", Method: http.MethodPost, Path: "/account/team/:id/remove", Access: Owner, Handler: h.Remove},

		{Name: "account.invitation.show", Method: http.MethodGet, Path: "/account/invitation", Access: Visitor, Handler: h.ShowInvitation},
		{Name: "account.invitation", Method: http.MethodPost, Path: "/account/invitation", Access: Visitor, Handler: h.AcceptInvitation},

		{Name: "account.profile", Method: http.MethodGet, Path: "/account/profile", Access: Member, Handler: h.Profile},
		{Name: "account.profile.name", Method: http.MethodPost, Path: "/account/profile/name", Access: Member, Handler: h.Rename},
		{Name: "account.profile.organisation", Method: http.MethodPost, Path: "/account/profile/organisation", Access: Owner, Handler: h.RenameOrganisation},
		{Name: "account.profile.mobile", Method: http.MethodPost, Path: "/account/profile/mobile", Access: Member, Handler: h.ChangeMobile},
		{Name: "account.profile.mobile.show", Method: http.MethodGet, Path: "/account/profile/mobile", Access: Member, Handler: h.ShowMobile},
		{Name: "account.profile.mobile.verify", Method: http.MethodPost, Path: "/account/profile/mobile/verify", Access: Member, Handler: h.VerifyMobile},
		{Name: "account.profile.mobile.resend", Method: http.MethodPost, Path: "/account/profile/mobile/resend", Access: Member, Handler: h.ResendMobile},
		{Name: "account.profile.password", Method: http.MethodPost, Path: "/account/profile/password", Access: Member, Handler: h.ChangePassword},
		{Name: "account.sessions.end", Method: http.MethodPost, Path: "/account/profile/sessions/:id/end", Access: Member, Handler: h.EndSession},
		{Name: "account.sessions.end_others", Method: http.MethodPost, Path: "/account/profile/sessions/end-others", Access: Member, Handler: h.EndOtherSessions},
	}
}

// assets lists the pages about what an organisation has and shares.
func (a accountPages) assets() []Route {
	h := a.pages
	const share = "/account/assets/:id/shares/:business/end"
	return []Route{
		{Name: "account.assets", Method: http.MethodGet, Path: "/account/assets", Access: Member, Handler: h.ShowAssets},
		{Name: "account.assets.share", Method: http.MethodPost, Path: "/account/assets/shares", Access: Owner, Handler: h.Share},
		{Name: "account.assets.unshare.show", Method: http.MethodGet, Path: share, Access: Owner, Handler: h.ConfirmUnshare},
		{Name: "account.assets.unshare", Method: http.MethodPost, Path: share, Access: Owner, Handler: h.Unshare},
	}
}

// sms lists the pages about what an organisation sends SMS with.
func (a accountPages) sms() []Route {
	h := a.pages
	return []Route{
		{Name: "account.sms", Method: http.MethodGet, Path: "/account/sms", Access: Member, Handler: h.SMS},
		{Name: "account.sms.headers.add", Method: http.MethodPost, Path: "/account/sms/headers", Access: Developer, Handler: h.AddSMSHeader},
		{Name: "account.sms.headers.remove.show", Method: http.MethodGet, Path: "/account/sms/headers/:id/remove", Access: Developer, Handler: h.ConfirmRemoveSMSHeader},
		{Name: "account.sms.headers.remove", Method: http.MethodPost, Path: "/account/sms/headers/:id/remove", Access: Developer, Handler: h.RemoveSMSHeader},
		{Name: "account.sms.registration", Method: http.MethodPost, Path: "/account/sms/registration", Access: Developer, Handler: h.SetSMSRegistration},
		{Name: "account.sms.texts.add", Method: http.MethodPost, Path: "/account/sms/texts", Access: Developer, Handler: h.AddSMSText},
		{Name: "account.sms.texts.remove.show", Method: http.MethodGet, Path: "/account/sms/texts/:id/remove", Access: Developer, Handler: h.ConfirmRemoveSMSText},
		{Name: "account.sms.texts.remove", Method: http.MethodPost, Path: "/account/sms/texts/:id/remove", Access: Developer, Handler: h.RemoveSMSText},
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
