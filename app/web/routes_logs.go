package web

import "net/http"

// logs lists the pages about what an organisation sent, and about its callbacks.
func (p accountPages) logs() []Route {
	a := p.pages
	return []Route{
		{Name: "account.messages", Method: http.MethodGet, Path: "/account/messages", Access: Member, Handler: a.Messages},
		{Name: "account.messages.csv", Method: http.MethodGet, Path: "/account/messages.csv", Access: Member, Handler: a.ExportMessages},
		{Name: "account.message", Method: http.MethodGet, Path: "/account/messages/:id", Access: Member, Handler: a.Message},
		{Name: "account.usage", Method: http.MethodGet, Path: "/account/usage", Access: Member, Handler: a.Usage},

		{Name: "account.deliveries", Method: http.MethodGet, Path: "/account/deliveries", Access: Member, Handler: a.Deliveries},
		{Name: "account.delivery", Method: http.MethodGet, Path: "/account/deliveries/:id", Access: Member, Handler: a.Delivery},
		{Name: "account.delivery.replay", Method: http.MethodPost, Path: "/account/deliveries/:id/replay", Access: Developer, Handler: a.ReplayDelivery},

		{Name: "account.webhooks", Method: http.MethodGet, Path: "/account/webhooks", Access: Member, Handler: a.WebhookList},
		{Name: "account.webhook", Method: http.MethodGet, Path: "/account/webhooks/:number", Access: Member, Handler: a.Webhook},
		{Name: "account.webhook.set", Method: http.MethodPost, Path: "/account/webhooks/:number", Access: Developer, Handler: a.SetWebhook},
		{Name: "account.webhook.remove.show", Method: http.MethodGet, Path: "/account/webhooks/:number/remove", Access: Developer, Handler: a.ConfirmRemoveWebhook},
		{Name: "account.webhook.remove", Method: http.MethodPost, Path: "/account/webhooks/:number/remove", Access: Developer, Handler: a.RemoveWebhook},
		{Name: "account.webhook.enable", Method: http.MethodPost, Path: "/account/webhooks/:number/enable", Access: Developer, Handler: a.EnableWebhook},
		{Name: "account.webhook.test", Method: http.MethodPost, Path: "/account/webhooks/:number/test", Access: Developer, Handler: a.TestWebhook},
		{Name: "account.webhook.replay.show", Method: http.MethodGet, Path: "/account/webhooks/:number/replay", Access: Developer, Handler: a.ConfirmReplay},
		{Name: "account.webhook.replay", Method: http.MethodPost, Path: "/account/webhooks/:number/replay", Access: Developer, Handler: a.Replay},
		{Name: "account.secret.reveal", Method: http.MethodPost, Path: "/account/webhooks/:number/secret", Access: Developer, Handler: a.RevealSecret},
		{Name: "account.secret.rotate", Method: http.MethodPost, Path: "/account/webhooks/:number/secret/rotate", Access: Developer, Handler: a.RotateSecret},
		{Name: "account.secret.retire", Method: http.MethodPost, Path: "/account/webhooks/:number/secret/retire", Access: Developer, Handler: a.RetireSecret},
	}
}
