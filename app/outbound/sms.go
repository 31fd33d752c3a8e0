package outbound

import (
	"context"
	"net/url"

	"heliograph/db/models"
)

// sendSMS posts an SMS to the provider's URL as a form with to (E.164), text,
// sender_id, entity_id, template_id and reference. The reference is the id of the
// message and the same on every attempt. The API key is a bearer token (RFC
// 6750).
func (c *Courier) sendSMS(ctx context.Context, d models.Dispatch) models.NotificationAttempt {
	form := url.Values{
		"to": {d.Recipient}, "text": {d.Text}, "reference": {d.ID.String()},
		"sender_id": {d.SMS.SenderID}, "entity_id": {d.SMS.EntityID}, "template_id": {d.SMS.TemplateID},
	}
	return c.post(ctx, d, call{url: d.SMS.URL, key: d.SMS.APIKey, contentType: "application/x-www-form-urlencoded", body: form.Encode()})
}
