package messaging

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// SecretOverlap is how long the secret of before signs beside a new one, as
// Standard Webhooks asks for: a day is enough to deploy a receiver.
const SecretOverlap = 24 * time.Hour

// Secrets sign the callbacks of a number.
type Secrets struct {
	Current  string
	Previous string // empty but while secrets are rotated
}

// newSecret draws 32 bytes, in the form of Standard Webhooks.
func newSecret() string {
	raw := make([]byte, 32)
	rand.Read(raw)
	return "whsec_" + base64.StdEncoding.EncodeToString(raw)
}

// OpenSecrets reads the sealed signing secrets of a phone number; previous is
// nil when there is none.
func OpenSecrets(k *keyring.Keyring, phoneNumberID int64, current, previous []byte) (s Secrets, err error) {
	plain, err := k.Open(current, secretPlace(phoneNumberID))
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

func secretPlace(phoneNumberID int64) string {
	return keyring.Place("phone_numbers", "webhook_secret", phoneNumberID)
}

func previousPlace(phoneNumberID int64) string {
	return keyring.Place("phone_numbers", "previous_webhook_secret", phoneNumberID)
}

// RevealSecrets returns what signs the callbacks of a number; the audit keeps
// who looked.
func (h *Webhooks) RevealSecrets(ctx context.Context, n models.PhoneNumber, actor string) (s Secrets, err error) {
	err = db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		if s, err = OpenSecrets(h.options.Keyring, n.ID, n.WebhookSecret, n.PreviousSecret); err != nil {
			return err
		}
		return record(ctx, tx, actor, "webhook_secret.reveal", n.ID, nil)
	})
	return s, err
}

// RotateSecret gives a number a new signing secret; the one of before signs
// beside it for SecretOverlap. While two sign there is no third: Conflict.
func (h *Webhooks) RotateSecret(ctx context.Context, n models.PhoneNumber, actor string) error {
	if n.PreviousSecret != nil {
		return fault.New(fault.Conflict, "Two secrets sign already. Retire the previous one first, or wait until it ends.")
	}
	s, err := OpenSecrets(h.options.Keyring, n.ID, n.WebhookSecret, nil)
	if err != nil {
		return err
	}
	until := time.Now().Add(SecretOverlap)
	changed := models.PhoneNumber{
		ID: n.ID, WebhookSecret: h.options.Keyring.Seal([]byte(newSecret()), secretPlace(n.ID)),
		PreviousSecret: h.options.Keyring.Seal([]byte(s.Current), previousPlace(n.ID)), PreviousSecretUntil: &until,
	}
	return h.changeSecret(ctx, changed, n.WebhookSecret, change{actor, "webhook_secret.rotate"})
}

// RetireSecret ends the time in which the previous secret of a number signs.
func (h *Webhooks) RetireSecret(ctx context.Context, n models.PhoneNumber, actor string) error {
	if n.PreviousSecret == nil {
		return fault.New(fault.Conflict, "Only one secret signs; nothing was changed.")
	}
	changed := models.PhoneNumber{ID: n.ID, WebhookSecret: n.WebhookSecret}
	return h.changeSecret(ctx, changed, n.WebhookSecret, change{actor, "webhook_secret.retire"})
}

// change is who does what, for the audit.
type change struct{ actor, action string }

func (h *Webhooks) changeSecret(ctx context.Context, changed models.PhoneNumber, current []byte, c change) error {
	return db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		done, err := queries.PhoneNumberUpdateSecret(ctx, tx, changed, current)
		if err != nil {
			return fmt.Errorf("changing the signing secret of %d: %w", changed.ID, err)
		}
		if !done {
			return fault.New(fault.Conflict, "The secret was changed a moment ago. Load the page again.")
		}
		return record(ctx, tx, c.actor, c.action, changed.ID, nil)
	})
}
