package outbound

import (
	"context"
	"encoding/json"

	"heliograph/db/models"
)

// emailBody is the body of a request to an email API.
type emailBody struct {
	From    string   `json:"from"`
	To      []string `json:"to"`
	Subject string   `json:"subject"`
	Text    string   `json:"text"`
	HTML    string   `json:"html,omitempty"`
}

// postEmail posts an email to the provider's URL as JSON with from, to, subject,
// text and html. The API key is a bearer token (RFC 6750).
func (c *Courier) postEmail(ctx context.Context, d models.Dispatch) models.NotificationAttempt {
	body, err := json.Marshal(emailBody{From: d.Email.From, To: []string{d.Recipient}, Subject: d.Subject, Text: d.Text, HTML: d.HTML})
	if err != nil {
		return models.NotificationAttempt{Provider: excerpt(d.Email.URL), Outcome: models.OutcomeRejected, Fault: models.FaultMessage, Answer: err.Error()}
	}
	return c.post(ctx, d, call{url: d.Email.URL, key: d.Email.APIKey, contentType: "application/json", body: string(body)})
}
