package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Webhook is where the callbacks of a phone number are relayed.
type Webhook struct {
	URL     string            `json:"webhook_url"`
	Headers map[string]string `json:"headers"` // sent along with each callback
}

// SetWebhook stores where a number's callbacks go; an empty URL clears it.
// actor is who did it, for the audit.
func (s *Service) SetWebhook(ctx context.Context, number models.PhoneNumber, w Webhook, actor string) error {
	subject := strconv.FormatInt(number.ID, 10)
	if w.URL == "" {
		w.Headers = map[string]string{}
	} else if err := s.guard.CheckWebhook(ctx, w.URL, w.Headers); err != nil {
		return err
	}
	headers, err := json.Marshal(w.Headers)
	if err != nil {
		return fmt.Errorf("writing headers: %w", err)
	}
	return db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		entry := audit.Entry{Actor: actor, Action: "webhook.set", Target: "phone_number:" + subject, Details: map[string]any{"url": w.URL}}
		if err := audit.Record(ctx, tx, entry); err != nil {
			return err
		}
		return queries.WebhookUpsert(ctx, tx, models.Webhook{
			OrganisationID: number.OrganisationID, Channel: Channel, Subject: subject, URL: w.URL,
			Headers: s.keyring.Seal(headers, webhookPlace(Channel, subject)),
		})
	})
}

// Webhook returns where a number's callbacks go; nothing set is an empty one.
func (s *Service) Webhook(ctx context.Context, number models.PhoneNumber) (Webhook, error) {
	w := Webhook{Headers: map[string]string{}}
	row, err := queries.WebhookGet(ctx, s.pool, Channel, strconv.FormatInt(number.ID, 10))
	if db.IsNoRows(err) {
		return w, nil
	}
	if err != nil {
		return w, fmt.Errorf("looking a webhook up: %w", err)
	}
	w.URL = row.URL
	w.Headers, err = OpenHeaders(s.keyring, row)
	return w, err
}

// OpenHeaders reads the sealed headers of a webhook.
func OpenHeaders(k *keyring.Keyring, w models.Webhook) (map[string]string, error) {
	plain, err := k.Open(w.Headers, webhookPlace(w.Channel, w.Subject))
	if err != nil {
		return nil, fmt.Errorf("opening the headers of webhook %d: %w", w.ID, err)
	}
	headers := map[string]string{}
	if err := json.Unmarshal(plain, &headers); err != nil {
		return nil, fmt.Errorf("reading the headers of webhook %d: %w", w.ID, err)
	}
	return headers, nil
}

func webhookPlace(channel, subject string) string {
	return keyring.Place("webhooks", "headers", channel+"/"+subject)
}
