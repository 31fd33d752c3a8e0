package web

import "net/http"

// logs lists the pages about what an organisation sent, and about its callbacks.
func (a accountPages) logs() []Route {
	pages := a.pages
	return []Route{
		{Name: "account.messages", Method: http.MethodGet, Path: "/account/messages", Access: Member, Handler: pages.Messages},
		{Name: "account.messages.csv", Method: http.MethodGet, Path: "/account/messages.csv", Access: Member, Handler: pages.ExportMessages},
		{Name: "account.messages.received", Method: http.MethodGet, Path: "/account/messages/received", Access: Member, Handler: pages.Received},
		{Name: "account.message", Method: http.MethodGet, Path: "/account/messages/:id", Access: Member, Handler: pages.Message},
		{Name: "account.usage", Method: http.MethodGet, Path: "/account/usage", Access: Member, Handler: pages.Usage},

		{Name: "account.deliveries", Method: http.MethodGet, Path: "/account/deliveries", Access: Member, Handler: pages.Deliveries},
		{Name: "account.delivery", Method: http.MethodGet, Path: "/account/deliveries/:id", Access: Member, Handler: pages.Delivery},
		{Name: "account.delivery.replay", Method: http.MethodPost, Path: "/account/deliveries/:id/replay", Access: Developer, Handler: pages.ReplayDelivery},

		{Name: "account.webhooks", Method: http.MethodGet, Path: "/account/webhooks", Access: Member, Handler: pages.WebhookList},
		{Name: "account.webhook", Method: http.MethodGet, Path: "/account/webhooks/:number", Access: Member, Handler: pages.Webhook},
		{Name: "account.webhook.set", Method: http.MethodPost, Path: "/account/webhooks/:number", Access: Developer, Handler: pages.SetWebhook},
		{Name: "account.webhook.remove.show", Method: http.MethodGet, Path: "/account/webhooks/:number/remove", Access: Developer, Handler: pages.ConfirmRemoveWebhook},
		{Name: "account.webhook.remove", Method: http.MethodPost, Path: "/account/webhooks/:number/remove", Access: Developer, Handler: pages.RemoveWebhook},
		{Name: "account.webhook.enable", Method: http.MethodPost, Path: "/account/webhooks/:number/enable", Access: Developer, Handler: pages.EnableWebhook},
		{Name: "account.webhook.test", Method: http.MethodPost, Path: "/account/webhooks/:number/test", Access: Developer, Handler: pages.TestWebhook},
		{Name: "account.webhook.replay.show", Method: http.MethodGet, Path: "/account/webhooks/:number/replay", Access: Developer, Handler: pages.ConfirmReplay},
		{Name: "account.webhook.replay", Method: http.MethodPost, Path: "/account/webhooks/:number/replay", Access: Developer, Handler: pages.Replay},
		{Name: "account.secret.reveal", Method: http.MethodPost, Path: "/account/webhooks/:number/secret", Access: Developer, Handler: pages.RevealSecret},
		{Name: "account.secret.rotate", Method: http.MethodPost, Path: "/account/webhooks/:number/secret/rotate", Access: Developer, Handler: pages.RotateSecret},
		{Name: "account.secret.retire.show", Method: http.MethodGet, Path: "/account/webhooks/:number/secret/retire", Access: Developer, Handler: pages.ConfirmRetireSecret},
		{Name: "account.secret.retire", Method: http.MethodPost, Path: "/account/webhooks/:number/secret/retire", Access: Developer, Handler: pages.RetireSecret},
	}
}
