package setting

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
)

const (
	contactName     = "contact"
	contactSecret   = "contact.secret"
	contactPrevious = "contact.previous"
)

// contactOverlap is how long the webhook is also signed with the previous secret
// after a new one was made, as Standard Webhooks recommends.
const contactOverlap = 24 * time.Hour

// Contact returns the contact settings. By default there is no webhook, only
// Super Admins change enquiries, and forms ask for work when many come.
func (s *Settings) Contact(ctx context.Context) (models.ContactSettings, error) {
	if s.contact == nil {
		return s.loadContact(ctx, s.db)
	}
	return s.contact.Get(ctx, contactName, func(ctx context.Context, _ string) (models.ContactSettings, error) { return s.loadContact(ctx, s.db) })
}

func (s *Settings) loadContact(ctx context.Context, q db.Querier) (models.ContactSettings, error) {
	v := models.ContactSettings{KeepDays: 730, KeepSpamDays: 30, Challenge: "busy"}
	err := s.load(ctx, q, contactName, &v, map[string]*models.Secret{contactSecret: &v.Secret, contactPrevious: &v.Previous})
	if time.Now().After(v.PreviousUntil) {
		v.Previous = ""
	}
	return v, err
}

// ContactChange is the form of the contact settings, as it was entered.
type ContactChange struct {
	URL          string
	Editors      bool
	KeepDays     string
	KeepSpamDays string
	Challenge    string // off, on or busy
}

// SaveContact validates and stores the contact settings. A webhook that is set
// for the first time gets a secret, which is returned. actor is recorded in the
// audit. Invalid input names its fields.
func (s *Settings) SaveContact(ctx context.Context, c ContactChange, actor string) (fresh models.Secret, err error) {
	err = db.InTx(ctx, s.db, func(tx pgx.Tx) error {
		before, err := s.loadContact(ctx, tx)
		if err != nil {
			return err
		}
		after := before
		after.URL, after.Editors, after.Challenge = strings.TrimSpace(c.URL), c.Editors, c.Challenge
		var f findings
		if err := f.url(ctx, s.guard, after.URL); err != nil {
			return err
		}
		f.addIf(c.Challenge != "off" && c.Challenge != "on" && c.Challenge != "busy", "challenge", "Choose when forms ask for work.")
		after.KeepDays = f.days("keep_days", c.KeepDays)
		after.KeepSpamDays = f.days("keep_spam_days", c.KeepSpamDays)
		if err := f.Err(); err != nil {
			return err
		}
		made := change{name: contactName, before: before, after: after, actor: actor}
		if after.URL != "" && before.Secret == "" {
			fresh = models.Secret(keyring.NewWebhookSecret())
			made.secrets = []secret{{contactSecret, fresh, false}}
		}
		return s.save(ctx, tx, made)
	})
	return fresh, err
}

// days checks a number of days.
func (f *findings) days(name, text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	f.addIf(err != nil || n < 1 || n > 3650, name, "Enter a number of days from 1 to 3650.")
	return n
}

// ReplaceContactSecret makes a new secret for the contact webhook and returns it.
// The webhook is also signed with the previous one for a day.
func (s *Settings) ReplaceContactSecret(ctx context.Context, actor string) (models.Secret, error) {
	fresh := models.Secret(keyring.NewWebhookSecret())
	err := db.InTx(ctx, s.db, func(tx pgx.Tx) error {
		before, err := s.loadContact(ctx, tx)
		if err != nil {
			return err
		}
		after := before
		secrets := []secret{{contactSecret, fresh, false}}
		if before.Secret != "" {
			after.PreviousUntil = time.Now().UTC().Truncate(time.Second).Add(contactOverlap)
			secrets = append(secrets, secret{contactPrevious, before.Secret, false})
		}
		return s.save(ctx, tx, change{name: contactName, before: before, after: after, actor: actor, secrets: secrets})
	})
	return fresh, err
}
