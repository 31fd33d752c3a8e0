package web

import (
	"net/http"
	"slices"

	"heliograph/app/web/channels/logs"
	"heliograph/app/web/channels/ownbots"
	"heliograph/app/web/channels/webhooks"
)

// organisationChannels lists the pages on which an organisation follows what it sends, and
// looks after its bots and webhooks.
func organisationChannels(s *Server) []Route {
	return slices.Concat(logRoutes(s), ownBotRoutes(s), webhookRoutes(s))
}

// logRoutes lists the pages about what an organisation sent, and about its callbacks.
func logRoutes(s *Server) []Route {
	h := logs.New(logs.Deps{DB: s.deps.DB, Webhooks: s.deps.Webhooks})
	return []Route{
		{Name: "account.messages", Method: http.MethodGet, Path: "/account/messages", Access: Member, Handler: h.Messages},
		{Name: "account.messages.csv", Method: http.MethodGet, Path: "/account/messages.csv", Access: Member, Handler: h.Export},
		{Name: "account.messages.received", Method: http.MethodGet, Path: "/account/messages/received", Access: Member, Handler: h.Received},
		{Name: "account.message", Method: http.MethodGet, Path: "/account/messages/:id", Access: Member, Handler: h.Message},
		{Name: "account.usage", Method: http.MethodGet, Path: "/account/usage", Access: Member, Handler: h.Usage},
		{Name: "account.deliveries", Method: http.MethodGet, Path: "/account/deliveries", Access: Member, Handler: h.Deliveries},
		{Name: "account.delivery", Method: http.MethodGet, Path: "/account/deliveries/:id", Access: Member, Handler: h.Delivery},
		{Name: "account.delivery.replay", Method: http.MethodPost, Path: "/account/deliveries/:id/replay", Access: Developer, Handler: h.ReplayDelivery},
	}
}

// ownBotRoutes lists the pages about what an organisation sends RCS messages with.
func ownBotRoutes(s *Server) []Route {
	const one = "/account/bots/:id"
	h := ownbots.New(ownbots.Deps{PublicURL: s.deps.Config.PublicURL, RCS: s.deps.RCS})
	return []Route{
		{Name: "account.bots", Method: http.MethodGet, Path: "/account/bots", Access: Member, Handler: h.List},
		{Name: "account.bot", Method: http.MethodGet, Path: one, Access: Member, Handler: h.Show},
		{Name: "account.bot.image", Method: http.MethodGet, Path: one + "/images/:name", Access: Member, Handler: h.Image},
		{Name: "account.bot.answers", Method: http.MethodPost, Path: one + "/answers", Access: Developer, Handler: h.PlayRecipient},
		{Name: "account.bot.client_secret", Method: http.MethodPost, Path: one + "/client-secret", Access: Developer, Handler: h.IssueSecret},
		{Name: "account.bot.devices", Method: http.MethodPost, Path: one + "/devices", Access: Developer, Handler: h.InviteDevice},
	}
}

// webhookRoutes lists the pages of the webhooks of numbers, bots and delivery reports.
func webhookRoutes(s *Server) []Route {
	const one = "/account/bots/:id"
	deps := webhooks.Deps{DB: s.deps.DB, Webhooks: s.deps.Webhooks, SMSRegistry: s.deps.SMS, RCS: s.deps.RCS}
	h, reports, bots := webhooks.New(deps), webhooks.NewReports(deps), webhooks.NewBots(deps)
	return []Route{
		{Name: "account.webhooks", Method: http.MethodGet, Path: "/account/webhooks", Access: Member, Handler: h.WebhookList},
		{Name: "account.webhook", Method: http.MethodGet, Path: "/account/webhooks/:number", Access: Member, Handler: h.Webhook},
		{Name: "account.webhook.set", Method: http.MethodPost, Path: "/account/webhooks/:number", Access: Developer, Handler: h.SetWebhook},
		{Name: "account.webhook.remove.show", Method: http.MethodGet, Path: "/account/webhooks/:number/remove", Access: Developer, Handler: h.ConfirmRemoveWebhook},
		{Name: "account.webhook.remove", Method: http.MethodPost, Path: "/account/webhooks/:number/remove", Access: Developer, Handler: h.RemoveWebhook},
		{Name: "account.webhook.enable", Method: http.MethodPost, Path: "/account/webhooks/:number/enable", Access: Developer, Handler: h.EnableWebhook},
		{Name: "account.webhook.test", Method: http.MethodPost, Path: "/account/webhooks/:number/test", Access: Developer, Handler: h.TestWebhook},
		{Name: "account.webhook.replay.show", Method: http.MethodGet, Path: "/account/webhooks/:number/replay", Access: Developer, Handler: h.ConfirmReplay},
		{Name: "account.webhook.replay", Method: http.MethodPost, Path: "/account/webhooks/:number/replay", Access: Developer, Handler: h.Replay},
		{Name: "account.secret.reveal", Method: http.MethodPost, Path: "/account/webhooks/:number/secret", Access: Developer, Handler: h.RevealSecret},
		{Name: "account.secret.rotate", Method: http.MethodPost, Path: "/account/webhooks/:number/secret/rotate", Access: Developer, Handler: h.RotateSecret},
		{Name: "account.secret.retire.show", Method: http.MethodGet, Path: "/account/webhooks/:number/secret/retire", Access: Developer, Handler: h.ConfirmRetireSecret},
		{Name: "account.secret.retire", Method: http.MethodPost, Path: "/account/webhooks/:number/secret/retire", Access: Developer, Handler: h.RetireSecret},

		{Name: "account.sms.reports", Method: http.MethodGet, Path: "/account/sms/reports", Access: Member, Handler: reports.Show},
		{Name: "account.sms.reports.set", Method: http.MethodPost, Path: "/account/sms/reports", Access: Developer, Handler: reports.Set},
		{Name: "account.sms.reports.secret", Method: http.MethodPost, Path: "/account/sms/reports/secret", Access: Developer, Handler: reports.Reveal},
		{Name: "account.sms.reports.secret.rotate", Method: http.MethodPost, Path: "/account/sms/reports/secret/rotate", Access: Developer, Handler: reports.Rotate},
		{Name: "account.sms.reports.secret.retire.show", Method: http.MethodGet, Path: "/account/sms/reports/secret/retire", Access: Developer, Handler: reports.ConfirmRetire},
		{Name: "account.sms.reports.secret.retire", Method: http.MethodPost, Path: "/account/sms/reports/secret/retire", Access: Developer, Handler: reports.Retire},
		{Name: "account.sms.reports.enable", Method: http.MethodPost, Path: "/account/sms/reports/enable", Access: Developer, Handler: reports.Enable},
		{Name: "account.sms.reports.replay.show", Method: http.MethodGet, Path: "/account/sms/reports/replay", Access: Developer, Handler: reports.ConfirmReplay},
		{Name: "account.sms.reports.replay", Method: http.MethodPost, Path: "/account/sms/reports/replay", Access: Developer, Handler: reports.Replay},
		{Name: "account.sms.reports.test", Method: http.MethodPost, Path: "/account/sms/reports/test", Access: Developer, Handler: reports.Test},

		{Name: "account.bot.webhook", Method: http.MethodGet, Path: one + "/webhook", Access: Member, Handler: bots.Show},
		{Name: "account.bot.webhook.set", Method: http.MethodPost, Path: one + "/webhook", Access: Developer, Handler: bots.Set},
		{Name: "account.bot.webhook.secret", Method: http.MethodPost, Path: one + "/webhook/secret", Access: Developer, Handler: bots.Reveal},
		{Name: "account.bot.webhook.rotate", Method: http.MethodPost, Path: one + "/webhook/secret/rotate", Access: Developer, Handler: bots.Rotate},
		{Name: "account.bot.webhook.retire.show", Method: http.MethodGet, Path: one + "/webhook/secret/retire", Access: Developer, Handler: bots.ConfirmRetire},
		{Name: "account.bot.webhook.retire", Method: http.MethodPost, Path: one + "/webhook/secret/retire", Access: Developer, Handler: bots.Retire},
		{Name: "account.bot.webhook.enable", Method: http.MethodPost, Path: one + "/webhook/enable", Access: Developer, Handler: bots.Enable},
		{Name: "account.bot.webhook.replay.show", Method: http.MethodGet, Path: one + "/webhook/replay", Access: Developer, Handler: bots.ConfirmReplay},
		{Name: "account.bot.webhook.replay", Method: http.MethodPost, Path: one + "/webhook/replay", Access: Developer, Handler: bots.Replay},
		{Name: "account.bot.webhook.test", Method: http.MethodPost, Path: one + "/webhook/test", Access: Developer, Handler: bots.Test},
	}
}
