package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// secretOverlap is how long events are signed with the previous secret as well
// after a rotation.
const secretOverlap = 24 * time.Hour

// Secrets returns the decrypted signing secrets of a webhook that has its own.
func (e *Endpoints) Secrets(w models.Webhook) (Secrets, error) {
	return openSecrets(e.options.Keyring, w)
}

func openSecrets(k *keyring.Keyring, w models.Webhook) (s Secrets, err error) {
	plain, err := k.Open(w.Secret, secretPlace(w.Channel, w.Subject))
	if err != nil {
		return s, fmt.Errorf("opening the secret of webhook %d: %w", w.ID, err)
	}
	s.Current = string(plain)
	if len(w.PreviousSecret) == 0 {
		return s, nil
	}
	if plain, err = k.Open(w.PreviousSecret, previousPlace(w.Channel, w.Subject)); err != nil {
		return s, fmt.Errorf("opening the previous secret of webhook %d: %w", w.ID, err)
	}
	s.Previous = string(plain)
	return s, nil
}

// RotateSecret gives the webhooks of an organisation on a channel, which share a
// secret, a new one. The previous one signs as well for a day. A rotation during
// that time is a Conflict.
func (e *Endpoints) RotateSecret(ctx context.Context, tx pgx.Tx, channel string, organisationID int64) error {
	return e.changeSecrets(ctx, tx, secretsOf{channel: channel, organisationID: organisationID}, e.rotation(keyring.NewWebhookSecret()))
}

// RotateSecretOf gives one webhook, which has a secret of its own, a new one and returns
// it. The previous one counts for a day.
func (e *Endpoints) RotateSecretOf(ctx context.Context, tx pgx.Tx, w models.Webhook) (string, error) {
	secret := keyring.NewWebhookSecret()
	return secret, e.changeSecrets(ctx, tx, secretsOf{w.Channel, w.OrganisationID, w.ID}, e.rotation(secret))
}

// rotation changes the secret of a webhook.
func (e *Endpoints) rotation(secret string) func(w *models.Webhook) error {
	until := time.Now().Add(secretOverlap)
	return func(w *models.Webhook) error {
		if w.PreviousSecret != nil {
			return fault.New(fault.Conflict, "Two secrets are already in use. Retire the previous one first, or wait until it expires.")
		}
		s, err := e.Secrets(*w)
		if err != nil {
			return err
		}
		e.sealSecrets(w, Secrets{Current: secret, Previous: s.Current}, &until)
		return nil
	}
}

// RetireSecret removes the previous secret of the webhooks of an organisation on a
// channel before its time.
func (e *Endpoints) RetireSecret(ctx context.Context, tx pgx.Tx, channel string, organisationID int64) error {
	return e.retire(ctx, tx, secretsOf{channel: channel, organisationID: organisationID})
}

// RetireSecretOf removes the previous secret of one webhook before its time.
func (e *Endpoints) RetireSecretOf(ctx context.Context, tx pgx.Tx, w models.Webhook) error {
	return e.retire(ctx, tx, secretsOf{w.Channel, w.OrganisationID, w.ID})
}

func (e *Endpoints) retire(ctx context.Context, tx pgx.Tx, of secretsOf) error {
	retired := false
	err := e.changeSecrets(ctx, tx, of, func(w *models.Webhook) error {
		retired = retired || w.PreviousSecret != nil
		w.PreviousSecret, w.PreviousSecretUntil = nil, nil
		return nil
	})
	if err == nil && !retired {
		return fault.New(fault.Conflict, "There is no previous secret to retire. Nothing was changed.")
	}
	return err
}

// sealSecrets puts secrets into a webhook, of which its channel and subject are set.
func (e *Endpoints) sealSecrets(w *models.Webhook, s Secrets, until *time.Time) {
	w.Secret = e.options.Keyring.Seal([]byte(s.Current), secretPlace(w.Channel, w.Subject))
	w.PreviousSecret, w.PreviousSecretUntil = nil, nil
	if s.Previous != "" {
		w.PreviousSecret, w.PreviousSecretUntil = e.options.Keyring.Seal([]byte(s.Previous), previousPlace(w.Channel, w.Subject)), until
	}
}

// secretsOf names the webhooks that change their secrets: all of an organisation on a
// channel, or one of them.
type secretsOf struct {
	channel        string
	organisationID int64
	webhookID      int64 // zero for all
}

// changeSecrets changes the secrets of webhooks.
func (e *Endpoints) changeSecrets(ctx context.Context, tx pgx.Tx, of secretsOf, change func(w *models.Webhook) error) error {
	list, err := writes.WebhookLockSecrets(ctx, tx, of.channel, of.organisationID)
	if err != nil {
		return fmt.Errorf("reading the secrets of organisation %d: %w", of.organisationID, err)
	}
	for _, w := range list {
		if of.webhookID != 0 && w.ID != of.webhookID {
			continue
		}
		if err := change(&w); err != nil {
			return err
		}
		if err := writes.WebhookUpdateSecrets(ctx, tx, w); err != nil {
			return fmt.Errorf("storing the secrets of webhook %d: %w", w.ID, err)
		}
	}
	return nil
}

func secretPlace(channel, subject string) string {
	return keyring.Place("webhooks", "secret", channel+"/"+subject)
}

func previousPlace(channel, subject string) string {
	return keyring.Place("webhooks", "previous_secret", channel+"/"+subject)
}
