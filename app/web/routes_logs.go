package web

import (
	"net/http"
	"slices"

	"heliograph/app/web/channels/logs"
	"heliograph/app/web/channels/ownbots"
	"heliograph/app/web/channels/refused"
	"heliograph/app/web/channels/webhooks"
	"heliograph/app/web/page"
)

// organisationChannels lists the pages on which an organisation follows what it sends, and
// looks after its bots and webhooks.
func organisationChannels(s *Server) []Route {
	return slices.Concat(logRoutes(s), ownBotRoutes(s), webhookRoutes(s))
}

// logRoutes lists the pages about what an organisation sent, and about its callbacks.
func logRoutes(s *Server) []Route {
	h := &logs.Handlers{DB: s.deps.DB, Channels: s.deps.Channels, Webhooks: s.deps.Webhooks}
	return []Route{
		{Name: "account.messages", Method: http.MethodGet, Path: "/account/messages", Access: Member, Handler: page.Asked(h.Messages)},
		{Name: "account.messages.csv", Method: http.MethodGet, Path: "/account/messages.csv", Access: Member, Handler: page.Asked(h.Export)},
		{Name: "account.messages.received", Method: http.MethodGet, Path: "/account/messages/received", Access: Member, Handler: page.Asked(h.Received)},
		{Name: "account.message", Method: http.MethodGet, Path: "/account/messages/:id", Access: Member, Handler: h.Message},
		{Name: "account.usage", Method: http.MethodGet, Path: "/account/usage", Access: Member, Handler: h.Usage},
		{Name: "account.deliveries", Method: http.MethodGet, Path: "/account/deliveries", Access: Member, Handler: page.Asked(h.Deliveries)},
		{Name: "account.delivery", Method: http.MethodGet, Path: "/account/deliveries/:id", Access: Member, Handler: h.Delivery},
		{Name: "account.delivery.replay", Method: http.MethodPost, Path: "/account/deliveries/:id/replay", Access: Developer, Handler: page.WithID(h.ReplayDelivery)},
	}
}

// ownBotRoutes lists the pages about what an organisation sends RCS messages with.
func ownBotRoutes(s *Server) []Route {
	const one = "/account/bots/:id"
	h := &ownbots.Handlers{PublicURL: s.deps.Config.PublicURL, RCS: s.deps.RCS}
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
	deps := webhooks.Deps{DB: s.deps.DB, Webhooks: s.deps.Webhooks, SMSRegistry: s.deps.SMS, RCS: s.deps.RCS}
	numbers, name, path := webhooks.Numbers(deps), "account.webhook", "/account/webhooks/:number"
	return slices.Concat(
		[]Route{{Name: "account.webhooks", Method: http.MethodGet, Path: "/account/webhooks", Access: Member, Handler: webhooks.NewList(deps).Show}},
		routesOfWebhook(numbers, name, path),
		[]Route{
			{Name: name + ".remove", Method: http.MethodPost, Path: path + "/remove", Access: Developer, Handler: numbers.Remove, Ask: numbers.AskRemove},
		},
		routesOfWebhook(webhooks.Reports(deps), "account.sms.reports", "/account/sms/reports"),
		routesOfWebhook(webhooks.Bots(deps), "account.bot.webhook", "/account/bots/:id/webhook"),
	)
}

// routesOfWebhook lists the pages that the webhooks of every channel have.
func routesOfWebhook(h *webhooks.Handlers, name, path string) []Route {
	return []Route{
		{Name: name, Method: http.MethodGet, Path: path, Access: Member, Handler: page.With(h.Find, h.Show)},
		{Name: name + ".set", Method: http.MethodPost, Path: path, Access: Developer, Handler: page.With(h.Find, h.Set)},
		{Name: name + ".enable", Method: http.MethodPost, Path: path + "/enable", Access: Developer, Handler: h.Enable},
		{Name: name + ".test", Method: http.MethodPost, Path: path + "/test", Access: Developer, Handler: h.Test},
		{Name: name + ".replay", Method: http.MethodPost, Path: path + "/replay", Access: Developer, Handler: page.With(h.Find, h.Replay), Ask: h.AskReplay},
		{Name: name + ".secret", Method: http.MethodPost, Path: path + "/secret", Access: Developer, Handler: page.With(h.Find, h.Reveal)},
		{Name: name + ".secret.rotate", Method: http.MethodPost, Path: path + "/secret/rotate", Access: Developer, Handler: page.With(h.Find, h.Rotate)},
		{Name: name + ".secret.retire", Method: http.MethodPost, Path: path + "/secret/retire", Access: Developer, Handler: h.Retire, Ask: h.AskRetire},
	}
}

// refusedPath is the address of the log of all organisations.
const refusedPath = "/admin/refused-requests"

// refusedRoutes lists the logs of requests that channel APIs refused.
func refusedRoutes(s *Server) []Route {
	if s.deps.Documentation == nil {
		return nil // Without documentation there are no accounts and no administration.
	}
	all := refused.New(refused.Options{
		DB: s.deps.DB, Channels: s.deps.Channels, Path: refusedPath, OrganisationPath: "/admin/organisations", Frame: page.AdministrationFrame,
		Lead: "API requests of all organisations that were answered with an error.",
	})
	own := refused.New(refused.Options{
		DB: s.deps.DB, Channels: s.deps.Channels, Path: page.AccountRefusedPath, Frame: page.AccountFrame,
		Lead: "API requests with your keys that were answered with an error.",
	})
	return []Route{
		{Name: "account.refused", Method: http.MethodGet, Path: "/account/refused-requests", Access: Member, Handler: page.Asked(own.List)},
		{Name: "admin.refused", Method: http.MethodGet, Path: refusedPath, Access: SuperAdmin, Handler: page.Asked(all.List)},
	}
}
