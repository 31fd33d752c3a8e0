package api

import (
	"context"

	"heliograph/app/input"
	"heliograph/app/messaging"
)

type webhookInput struct {
	URL     input.Text            `json:"webhook_url"`
	Headers map[string]input.Text `json:"headers"`
}

type webhookReply struct {
	Code    string `json:"code"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

// setWebhook serves POST /{phone_number_id}/setwebhook.
func (m *Messaging) setWebhook(ctx context.Context, c *call, in webhookInput) (webhookReply, error) {
	number, err := m.service.Number(ctx, c.caller.OrganisationID, c.params["phone_number_id"])
	if err != nil {
		return webhookReply{}, err
	}
	headers := make(map[string]string, len(in.Headers))
	for name, value := range in.Headers {
		headers[name] = string(value)
	}
	if err := m.service.SetWebhook(ctx, number, messaging.Webhook{URL: string(in.URL), Headers: headers}, c.actor()); err != nil {
		return webhookReply{}, err
	}
	return webhookReply{Code: "200", Status: "Success", Message: "Your webhook has been configured successfully"}, nil
}

// getWebhook serves GET /{phone_number_id}/getwebhook.
func (m *Messaging) getWebhook(ctx context.Context, c *call, _ none) (messaging.Webhook, error) {
	number, err := m.service.Number(ctx, c.caller.OrganisationID, c.params["phone_number_id"])
	if err != nil {
		return messaging.Webhook{}, err
	}
	return m.service.Webhook(ctx, number)
}
