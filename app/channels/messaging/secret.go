package messaging

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// secretOverlap is how long callbacks are signed with the previous secret as
// well after a rotation, as Standard Webhooks recommends. A day is enough time
// to deploy a receiver.
const secretOverlap = 24 * time.Hour

// openSecrets decrypts the signing secrets of a phone number. previous may be
// nil.
func openSecrets(k *keyring.Keyring, phoneNumberID int64, current, previous []byte) (s relay.Secrets, err error) {
	plain, err := k.Open(current, assets.SecretPlace(phoneNumberID))
	if err != nil {
		return s, fmt.Errorf("opening the signing secret of %d: %w", phoneNumberID, err)
	}
	s.Current = string(plain)
	if previous == nil {
		return s, nil
	}
	if plain, err = k.Open(previous, previousPlace(phoneNumberID)); err != nil {
		return s, fmt.Errorf("opening the previous signing secret of %d: %w", phoneNumberID, err)
	}
	s.Previous = string(plain)
	return s, nil
}

func previousPlace(phoneNumberID int64) string {
	return keyring.Place("phone_numbers", "previous_webhook_secret", phoneNumberID)
}

// RevealSecrets returns the signing secrets of a number. The audit records the
// actor.
func (h *Webhooks) RevealSecrets(ctx context.Context, n models.PhoneNumber, actor string) (s relay.Secrets, err error) {
	err = db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		if s, err = openSecrets(h.options.Keyring, n.ID, n.WebhookSecret, n.PreviousSecret); err != nil {
			return err
		}
		return record(ctx, tx, actor, "webhook_secret.reveal", n.ID, nil)
	})
	return s, err
}

// RotateSecret replaces the signing secret of a number. The previous one also
// signs for SecretOverlap. A rotation during that time is a Conflict.
func (h *Webhooks) RotateSecret(ctx context.Context, n models.PhoneNumber, actor string) error {
	if n.PreviousSecret != nil {
		return fault.New(fault.Conflict, "Two secrets are already in use. Retire the previous one first, or wait until it expires.")
	}
	s, err := openSecrets(h.options.Keyring, n.ID, n.WebhookSecret, nil)
	if err != nil {
		return err
	}
	until := time.Now().Add(secretOverlap)
	changed := models.PhoneNumber{
		ID: n.ID, WebhookSecret: h.options.Keyring.Seal([]byte(keyring.NewWebhookSecret()), assets.SecretPlace(n.ID)),
		PreviousSecret: h.options.Keyring.Seal([]byte(s.Current), previousPlace(n.ID)), PreviousSecretUntil: &until,
	}
	return h.changeSecret(ctx, changed, n.WebhookSecret, auditAction{actor, "webhook_secret.rotate"})
}

// RetireSecret removes the previous signing secret of a number before its time.
func (h *Webhooks) RetireSecret(ctx context.Context, n models.PhoneNumber, actor string) error {
	if n.PreviousSecret == nil {
		return fault.New(fault.Conflict, "There is no previous secret to retire. Nothing was changed.")
	}
	changed := models.PhoneNumber{ID: n.ID, WebhookSecret: n.WebhookSecret}
	return h.changeSecret(ctx, changed, n.WebhookSecret, auditAction{actor, "webhook_secret.retire"})
}

// auditAction is the actor and the action of an audit entry.
type auditAction struct{ actor, action string }

func (h *Webhooks) changeSecret(ctx context.Context, changed models.PhoneNumber, current []byte, c auditAction) error {
	return db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		done, err := writes.PhoneNumberUpdateSecret(ctx, tx, changed, current)
		if err != nil {
			return fmt.Errorf("changing the signing secret of %d: %w", changed.ID, err)
		}
		if !done {
			return fault.New(fault.Conflict, "The secret was changed a moment ago. Load the page again.")
		}
		return record(ctx, tx, c.actor, c.action, changed.ID, nil)
	})
}
