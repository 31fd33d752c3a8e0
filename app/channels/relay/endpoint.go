package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Guard checks the URL and the headers of a webhook before they are stored. They
// are checked again on every request. Errors say what to change.
type Guard interface {
	CheckWebhook(ctx context.Context, url string, headers map[string]string) error
}

// Options holds the dependencies of Endpoints.
type Options struct {
	DB      db.Beginner
	Keyring *keyring.Keyring
	Jobs    args.Inserter
	Guard   Guard
}

// Endpoints manages the webhooks of all channels and the replay of callbacks.
type Endpoints struct{ options Options }

// NewEndpoints returns new Endpoints.
func NewEndpoints(o Options) *Endpoints { return &Endpoints{o} }

// Endpoint is the destination of the callbacks of one subject of a channel.
type Endpoint struct {
	OrganisationID   int64
	Channel, Subject string
	URL              string            // empty: callbacks are not sent
	Headers          map[string]string // sent with each callback
	Format           string            // in the channel's words
	Secret           string            // empty: the stored one is kept
	// Previous signs a new endpoint as well, until PreviousUntil. It may be empty.
	Previous      string
	PreviousUntil *time.Time
}

// By is the author of a change and the object that it is recorded for.
type By struct{ Actor, Target string }

// Check checks the address and the headers of an endpoint.
func (e *Endpoints) Check(ctx context.Context, p Endpoint) error {
	if p.URL == "" {
		return nil
	}
	return e.options.Guard.CheckWebhook(ctx, p.URL, p.Headers)
}

// Set stores an endpoint, which Check has accepted, in the caller's transaction.
// One that is set again starts healthy and enabled.
func (e *Endpoints) Set(ctx context.Context, tx pgx.Tx, p Endpoint) error {
	if p.URL == "" || p.Headers == nil {
		p.Headers = map[string]string{}
	}
	headers, err := json.Marshal(p.Headers)
	if err != nil {
		return fmt.Errorf("writing headers: %w", err)
	}
	w := models.Webhook{
		OrganisationID: p.OrganisationID, Channel: p.Channel, Subject: p.Subject, URL: p.URL, Format: p.Format,
		Headers: e.options.Keyring.Seal(headers, headersPlace(p.Channel, p.Subject)),
	}
	if p.Secret != "" {
		e.sealSecrets(&w, Secrets{p.Secret, p.Previous}, p.PreviousUntil)
	}
	if err := writes.WebhookUpsert(ctx, tx, w); err != nil {
		return fmt.Errorf("setting the webhook of %s %s: %w", p.Channel, p.Subject, err)
	}
	return nil
}

// Get returns the webhook of a subject. It is empty if none is set.
func (e *Endpoints) Get(ctx context.Context, channel, subject string) (models.Webhook, error) {
	w, err := queries.WebhookGet(ctx, e.options.DB, channel, subject)
	if db.IsNoRows(err) {
		return models.Webhook{Channel: channel, Subject: subject}, nil
	}
	if err != nil {
		return w, fmt.Errorf("looking a webhook up: %w", err)
	}
	return w, nil
}

// Enable enables a webhook that was disabled.
func (e *Endpoints) Enable(ctx context.Context, w models.Webhook, by By) error {
	if w.DisabledAt == nil {
		return fault.New(fault.Conflict, "The webhook is not disabled. Nothing was changed.")
	}
	return db.InTx(ctx, e.options.DB, func(tx pgx.Tx) error {
		if err := writes.WebhookUpdateEnabled(ctx, tx, w.ID); err != nil {
			return fmt.Errorf("enabling webhook %d: %w", w.ID, err)
		}
		return by.record(ctx, tx, "webhook.enable", nil)
	})
}

// Headers returns the decrypted headers of a webhook. One that is not set has
// none.
func (e *Endpoints) Headers(w models.Webhook) (map[string]string, error) {
	return OpenHeaders(e.options.Keyring, w)
}

// Secret returns the decrypted signing secret of a webhook that has its own.
func (e *Endpoints) Secret(w models.Webhook) (string, error) {
	s, err := e.Secrets(w)
	return s.Current, err
}

// OpenHeaders decrypts the headers of a webhook. A webhook that is not set has
// none.
func OpenHeaders(k *keyring.Keyring, w models.Webhook) (map[string]string, error) {
	headers := map[string]string{}
	if w.ID == 0 {
		return headers, nil
	}
	plain, err := k.Open(w.Headers, headersPlace(w.Channel, w.Subject))
	if err != nil {
		return nil, fmt.Errorf("opening the headers of webhook %d: %w", w.ID, err)
	}
	if err := json.Unmarshal(plain, &headers); err != nil {
		return nil, fmt.Errorf("reading the headers of webhook %d: %w", w.ID, err)
	}
	return headers, nil
}

// checkActive returns a Conflict if a webhook has no URL or is disabled.
func checkActive(w models.Webhook) error {
	switch {
	case w.URL == "":
		return fault.New(fault.Conflict, "No webhook is set. Set its URL first.")
	case w.DisabledAt != nil:
		return fault.New(fault.Conflict, "The webhook is disabled. Enable it first.")
	}
	return nil
}

func (b By) record(ctx context.Context, tx pgx.Tx, action string, details map[string]any) error {
	return audit.Record(ctx, tx, audit.Entry{Actor: b.Actor, Action: action, Target: b.Target, Details: details})
}

func headersPlace(channel, subject string) string {
	return keyring.Place("webhooks", "headers", channel+"/"+subject)
}
