package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// BotWebhook is a bot with where its events go.
type BotWebhook struct {
	Bot     models.RCSBot
	Webhook models.Webhook    // empty if none was ever set
	Headers map[string]string // sent with each event
}

// Webhook returns a bot of an organisation with its webhook.
func (s *Webhooks) Webhook(ctx context.Context, organisationID int64, botID string) (w BotWebhook, err error) {
	if w.Bot, err = findBot(ctx, s.pool, organisationID, botID); err != nil {
		return w, err
	}
	if w.Webhook, err = s.endpoints.Get(ctx, Channel, botID); err != nil {
		return w, err
	}
	w.Headers, err = s.endpoints.Headers(w.Webhook)
	return w, err
}

// EnableWebhook lets the events of a bot go out again.
func (s *Webhooks) EnableWebhook(ctx context.Context, by By, w BotWebhook) error {
	return s.endpoints.Enable(ctx, w.Webhook, by.of(w.Bot))
}

// of returns the author of a change of a bot.
func (b By) of(bot models.RCSBot) relay.By {
	return relay.By{Actor: b.Actor, Target: "rcs_bot:" + bot.ID}
}

// SendTest sends a text that nobody wrote and returns the id of its delivery.
func (s *Webhooks) SendTest(ctx context.Context, by By, w BotWebhook) (int64, error) {
	return s.endpoints.SendTest(ctx, w.Webhook, sampleEvent(w.Bot.ID, time.Now()), by.of(w.Bot))
}

// sampleEvent returns an event about a text that nobody wrote.
func sampleEvent(botID string, at time.Time) event {
	e := newInbound(botID, sandboxDevice, typeUserMessage, at)
	e.Text = "This is a test."
	return e
}

// Sample returns an event about a bot as its webhook receives it: the body and the
// name of the header that signs it.
func Sample(b models.RCSBot) (body, header string, err error) {
	e := sampleEvent(b.ID, b.CreatedAt)
	e.MessageID = uuid.Nil.String()
	e.EventID = "ev_" + e.MessageID
	event, err := json.Marshal(e)
	if err != nil {
		return "", "", fmt.Errorf("writing an event: %w", err)
	}
	d := models.Delivery{ID: 1, Body: event, Webhook: models.Webhook{Format: b.Transform}}
	r, err := render(d)
	if err != nil {
		return "", "", err
	}
	headers, err := sign("", d, r)
	for header = range headers {
		break
	}
	return string(r.Body), header, err
}

// RevealSecret returns what signs the events of a bot. The audit records the actor.
func (s *Webhooks) RevealSecret(ctx context.Context, by By, w BotWebhook) (secret string, err error) {
	if len(w.Webhook.Secret) == 0 {
		return "", errNoWebhook
	}
	if secret, err = s.endpoints.Secret(w.Webhook); err != nil {
		return "", err
	}
	return secret, s.change(ctx, by, w.Bot.ID, func(pgx.Tx, *models.RCSBot) (audit.Entry, error) {
		return audit.Entry{Action: "webhook_secret.reveal", Details: map[string]any{"channel": Channel}}, nil
	})
}

// RotateSecret makes a new secret for the events of a bot and returns it. A signature
// holds one: the previous secret makes it for a day, or until it is retired. A rotation
// during that time is a Conflict.
func (s *Webhooks) RotateSecret(ctx context.Context, by By, w BotWebhook) (secret string, err error) {
	if w.Webhook.ID == 0 {
		return "", errNoWebhook
	}
	err = s.change(ctx, by, w.Bot.ID, func(tx pgx.Tx, _ *models.RCSBot) (audit.Entry, error) {
		secret, err = s.endpoints.RotateSecretOf(ctx, tx, w.Webhook)
		return audit.Entry{Action: "webhook_secret.rotate", Details: map[string]any{"channel": Channel}}, err
	})
	return secret, err
}

// RetireSecret removes the previous secret of the events of a bot before its time.
func (s *Webhooks) RetireSecret(ctx context.Context, by By, w BotWebhook) error {
	if w.Webhook.ID == 0 {
		return errNoWebhook
	}
	return s.change(ctx, by, w.Bot.ID, func(tx pgx.Tx, _ *models.RCSBot) (audit.Entry, error) {
		return audit.Entry{Action: "webhook_secret.retire", Details: map[string]any{"channel": Channel}}, s.endpoints.RetireSecretOf(ctx, tx, w.Webhook)
	})
}

var errNoWebhook = fault.New(fault.Conflict, "No webhook is set. Set its URL first.")

// CountReplay counts the events that a replay would post, up to one more than
// relay.MaxReplay.
func (s *Webhooks) CountReplay(ctx context.Context, w BotWebhook, r relay.ReplayRange) (int, error) {
	return s.endpoints.CountReplay(ctx, w.Webhook, r)
}

// ReplayMany posts the finished events of a range again, the oldest first and at
// most relay.MaxReplay.
func (s *Webhooks) ReplayMany(ctx context.Context, by By, w BotWebhook, r relay.ReplayRange) (models.Replay, error) {
	return s.endpoints.ReplayMany(ctx, w.Webhook, r, by.of(w.Bot))
}

// SetEvents sets where the events of a bot go and in which form, as one change. The
// secret of a webhook that has one stays.
func (s *Webhooks) SetEvents(ctx context.Context, by By, set WebhookSetting, form string) error {
	switch form {
	case formDefault, formGoogle, formMaap:
	default:
		return invalid("form", "enum", "Choose one of the forms.")
	}
	endpoint := relay.Endpoint{OrganisationID: by.OrganisationID, Channel: Channel, Subject: set.BotID, URL: set.URL, Headers: set.Headers, Format: form}
	if err := s.endpoints.Check(ctx, endpoint); err != nil {
		return err
	}
	return s.change(ctx, by, set.BotID, func(tx pgx.Tx, b *models.RCSBot) (e audit.Entry, err error) {
		if w, err := queries.WebhookGet(ctx, tx, Channel, b.ID); db.IsNoRows(err) || err == nil && len(w.Secret) == 0 {
			if endpoint.Secret, err = s.ensureSecret(ctx, tx, by.OrganisationID); err != nil {
				return e, err
			}
		} else if err != nil {
			return e, fmt.Errorf("reading the webhook of bot %s: %w", b.ID, err)
		}
		if err := s.endpoints.Set(ctx, tx, endpoint); err != nil {
			return e, err
		}
		b.Transform = form
		return audit.Entry{Action: "webhook.set", Details: map[string]any{"channel": Channel, "url": set.URL, "form": form}}, writes.RCSBotUpdate(ctx, tx, *b)
	})
}
