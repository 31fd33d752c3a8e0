package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// Webhook is the destination of the callbacks of a phone number.
type Webhook struct {
	URL     string            `json:"webhook_url"`
	Headers map[string]string `json:"headers"` // sent with each callback

	// DisabledAt and DisabledReason say since when and why nothing is posted any
	// more. They are set by the relay and empty for a webhook that is in use.
	DisabledAt     *time.Time `json:"disabled_at,omitempty"`
	DisabledReason string     `json:"disabled_reason,omitempty"`

	// VerifyToken, if it is not empty, makes the URL answer a challenge before
	// it is stored. It is not stored itself.
	VerifyToken string `json:"-"`
}

// WebhookOptions holds the dependencies of Webhooks.
type WebhookOptions struct {
	DB      db.Beginner
	Keyring *keyring.Keyring
	Jobs    args.Inserter
	Guard   Guard
	Product string // name of the channel in callbacks
}

// Webhooks manages the webhooks of numbers, their signing secrets, and the
// replay of callbacks.
type Webhooks struct{ options WebhookOptions }

// NewWebhooks returns new Webhooks.
func NewWebhooks(o WebhookOptions) *Webhooks { return &Webhooks{o} }

// SetWebhook sets the webhook of a number. An empty URL removes it. actor is
// recorded in the audit.
func (h *Webhooks) SetWebhook(ctx context.Context, number models.PhoneNumber, w Webhook, actor string) error {
	subject := strconv.FormatInt(number.ID, 10)
	if w.URL == "" {
		w.Headers = map[string]string{}
	} else if err := h.options.Guard.CheckWebhook(ctx, w.URL, w.Headers); err != nil {
		return err
	} else if err := h.challenge(ctx, number.OrganisationID, w); err != nil {
		return err
	}
	headers, err := json.Marshal(w.Headers)
	if err != nil {
		return fmt.Errorf("writing headers: %w", err)
	}
	return db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		if err := record(ctx, tx, actor, "webhook.set", number.ID, map[string]any{"url": w.URL}); err != nil {
			return err
		}
		return queries.WebhookUpsert(ctx, tx, models.Webhook{
			OrganisationID: number.OrganisationID, Channel: Channel, Subject: subject, URL: w.URL,
			Headers: h.options.Keyring.Seal(headers, webhookPlace(Channel, subject)),
		})
	})
}

// maxVerifyToken is the number of characters of a verify_token.
const maxVerifyToken = 256

func (h *Webhooks) challenge(ctx context.Context, organisationID int64, w Webhook) error {
	if w.VerifyToken == "" {
		return nil
	}
	if utf8.RuneCountInString(w.VerifyToken) > maxVerifyToken {
		return fault.New(fault.Invalid, "verify_token can have at most %d characters. Send a shorter one.", maxVerifyToken)
	}
	return h.options.Guard.Challenge(ctx, strconv.FormatInt(organisationID, 10), w.URL, w.Headers, w.VerifyToken)
}

// Webhook returns the webhook of a number. It is empty if none is set.
func (h *Webhooks) Webhook(ctx context.Context, number models.PhoneNumber) (Webhook, error) {
	w := Webhook{Headers: map[string]string{}}
	row, err := queries.WebhookGet(ctx, h.options.DB, Channel, strconv.FormatInt(number.ID, 10))
	if db.IsNoRows(err) {
		return w, nil
	}
	if err != nil {
		return w, fmt.Errorf("looking a webhook up: %w", err)
	}
	w.URL, w.DisabledAt, w.DisabledReason = row.URL, row.DisabledAt, row.DisabledReason
	w.Headers, err = OpenHeaders(h.options.Keyring, row)
	return w, err
}

// OpenHeaders decrypts the headers of a webhook.
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

// FindWebhook returns a phone number of an organisation with its webhook. A number
// of another organisation is NotFound.
func (h *Webhooks) FindWebhook(ctx context.Context, organisationID int64, number string) (models.NumberWebhook, error) {
	id, ok := parseAssetID(number)
	if !ok {
		return models.NumberWebhook{}, fault.New(fault.NotFound, "This phone number does not exist.")
	}
	found, err := queries.WebhookListOfOrganisation(ctx, h.options.DB, organisationID, id)
	if err != nil {
		return models.NumberWebhook{}, fmt.Errorf("looking the webhook of %d up: %w", id, err)
	}
	if len(found) == 0 {
		return models.NumberWebhook{}, fault.New(fault.NotFound, "This phone number does not exist.")
	}
	return found[0], nil
}

// ListWebhooks returns an organisation's numbers, oldest first, with their
// webhooks.
func (h *Webhooks) ListWebhooks(ctx context.Context, organisationID int64) ([]models.NumberWebhook, error) {
	found, err := queries.WebhookListOfOrganisation(ctx, h.options.DB, organisationID, 0)
	if err != nil {
		return nil, fmt.Errorf("listing webhooks: %w", err)
	}
	return found, nil
}

// EnableWebhook enables a webhook that was disabled.
func (h *Webhooks) EnableWebhook(ctx context.Context, w models.NumberWebhook, actor string) error {
	if w.Webhook.DisabledAt == nil {
		return fault.New(fault.Conflict, "The webhook is not disabled. Nothing was changed.")
	}
	return db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		if err := queries.WebhookUpdateEnabled(ctx, tx, w.Webhook.ID); err != nil {
			return fmt.Errorf("enabling webhook %d: %w", w.Webhook.ID, err)
		}
		return record(ctx, tx, actor, "webhook.enable", w.Number.ID, nil)
	})
}

// record records an action on the webhook of a number in the audit.
func record(ctx context.Context, tx pgx.Tx, actor, action string, number int64, details map[string]any) error {
	return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: action, Target: fmt.Sprintf("phone_number:%d", number), Details: details})
}

func webhookPlace(channel, subject string) string {
	return keyring.Place("webhooks", "headers", channel+"/"+subject)
}
