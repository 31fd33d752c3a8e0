package messaging

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
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
	// Product is the word for the channel in the object of callbacks; empty for the
	// default.
	Product string `json:"-"`
}

// WebhookOptions holds the dependencies of Webhooks.
type WebhookOptions struct {
	DB      db.Beginner
	Keyring *keyring.Keyring
	Jobs    args.Inserter
	Guard   guard
	Product string // name of the channel in callbacks
}

// Webhooks manages the webhooks of numbers, their signing secrets, and the
// replay of callbacks.
type Webhooks struct {
	options   WebhookOptions
	endpoints *relay.Endpoints
}

// NewWebhooks returns new Webhooks.
func NewWebhooks(o WebhookOptions) *Webhooks {
	return &Webhooks{o, relay.NewEndpoints(relay.Options{DB: o.DB, Keyring: o.Keyring, Jobs: o.Jobs, Guard: o.Guard})}
}

// SetWebhook sets the webhook of a number. An empty URL removes it. actor is
// recorded in the audit.
func (h *Webhooks) SetWebhook(ctx context.Context, number models.PhoneNumber, w Webhook, actor string) error {
	endpoint := relay.Endpoint{
		OrganisationID: number.OrganisationID, Channel: Channel, Subject: strconv.FormatInt(number.ID, 10), URL: w.URL, Headers: w.Headers,
		Format: cmp.Or(w.Product, h.options.Product),
	}
	if err := h.endpoints.Check(ctx, endpoint); err != nil {
		return err
	}
	if w.URL != "" {
		if err := h.challenge(ctx, number.OrganisationID, w); err != nil {
			return err
		}
	}
	return db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		if err := record(ctx, tx, actor, "webhook.set", number.ID, map[string]any{"url": w.URL}); err != nil {
			return err
		}
		return h.endpoints.Set(ctx, tx, endpoint)
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
	row, err := h.endpoints.Get(ctx, Channel, strconv.FormatInt(number.ID, 10))
	if err != nil {
		return Webhook{}, err
	}
	headers, err := relay.OpenHeaders(h.options.Keyring, row)
	return Webhook{URL: row.URL, Headers: headers, DisabledAt: row.DisabledAt, DisabledReason: row.DisabledReason}, err
}

// FindWebhook returns a phone number of an organisation with its webhook. A number
// of another organisation is NotFound.
func (h *Webhooks) FindWebhook(ctx context.Context, organisationID int64, number string) (models.NumberWebhook, error) {
	id, ok := registry.ParseID(number)
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
	return h.endpoints.Enable(ctx, w.Webhook, by(actor, w.Number))
}

// by returns the author of a change to the webhook of a number.
func by(actor string, n models.PhoneNumber) relay.By {
	return relay.By{Actor: actor, Target: fmt.Sprintf("phone_number:%d", n.ID)}
}

// record records an action on the webhook of a number in the audit.
func record(ctx context.Context, tx pgx.Tx, actor, action string, number int64, details map[string]any) error {
	return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: action, Target: fmt.Sprintf("phone_number:%d", number), Details: details})
}
