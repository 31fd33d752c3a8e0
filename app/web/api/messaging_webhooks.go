package api

import (
	"context"

	"heliograph/app/channels/messaging"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db/models"
)

type webhookInput struct {
	URL         *input.Text           `json:"webhook_url"` // nil if it is missing: only an empty text clears
	Headers     map[string]input.Text `json:"headers"`
	VerifyToken input.Text            `json:"verify_token"`
	Product     input.Text            `json:"messaging_product"`
}

type webhookReply struct {
	Code    string `json:"code"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

// messagingWebhooks answers the operations on webhooks of numbers.
type messagingWebhooks struct {
	webhooks     *messaging.Webhooks
	checkProduct func(product *input.Text) error
}

// setWebhook serves POST /{phone_number_id}/setwebhook.
func (m messagingWebhooks) setWebhook(ctx context.Context, c *call, number models.PhoneNumber, in webhookInput) (webhookReply, error) {
	if in.URL == nil {
		return webhookReply{}, &fault.Error{Kind: fault.Invalid, Message: "Required parameter is missing",
			Fields: []fault.Field{{Name: "webhook_url", Message: "send webhook_url: an https address, or an empty text to clear the webhook"}}}
	}
	headers := make(map[string]string, len(in.Headers))
	for name, value := range in.Headers {
		headers[name] = string(value)
	}
	if in.Product != "" {
		if err := m.checkProduct(&in.Product); err != nil {
			return webhookReply{}, err
		}
	}
	set := messaging.Webhook{URL: string(*in.URL), Headers: headers, VerifyToken: string(in.VerifyToken), Product: string(in.Product)}
	if err := m.webhooks.SetWebhook(ctx, number, set, c.actor()); err != nil {
		return webhookReply{}, err
	}
	return webhookReply{Code: "200", Status: "Success", Message: "Your webhook has been configured successfully"}, nil
}

// getWebhook serves GET /{phone_number_id}/getwebhook.
func (m messagingWebhooks) getWebhook(ctx context.Context, c *call, number models.PhoneNumber, _ none) (messaging.Webhook, error) {
	return m.webhooks.Webhook(ctx, number)
}
