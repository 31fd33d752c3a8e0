// Package setting stores the delivery settings of Super Admins: the providers of
// SMS and emails, the allowed numbers and the daily SMS budget.
//
// Keys and passwords are encrypted, each for its own row, and never shown again.
// An empty one in a change keeps the stored one. The audit of changes does not
// contain them. Each process caches the settings while it receives notifications
// of changes.
package setting

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// guard checks whether the URL of a provider may be saved. A *fault.Error says
// what to change.
type guard interface {
	CheckURL(ctx context.Context, url string) error
}

// Options holds the dependencies of Settings.
type Options struct {
	DB       db.Beginner
	Listener *db.Listener // receives changes; see db.NewCache
	Keyring  *keyring.Keyring
	Guard    guard // may be nil if nothing is saved
	// PlainSMTP allows SMTP without TLS: development only.
	PlainSMTP bool
}

// Settings reads and stores the settings.
type Settings struct {
	db      db.Beginner
	keyring *keyring.Keyring
	guard   guard
	plain   bool
	sms     *db.Cache[string, models.SMSSettings]
	email   *db.Cache[string, models.EmailSettings]
	contact *db.Cache[string, models.ContactSettings]
	media   *db.Cache[string, models.MediaSettings]
	shown   *atomic.Bool // the API console
}

// cacheLife is how long settings are cached.
const cacheLife = time.Minute

// New returns new Settings. Call it before listener.Run.
func New(o Options) *Settings {
	s := &Settings{
		db: o.DB, shown: &atomic.Bool{}, keyring: o.Keyring, guard: o.Guard, plain: o.PlainSMTP,
		sms:     db.NewCache[string, models.SMSSettings](o.Listener, cacheLife, 1, "settings", "setting_secrets"),
		email:   db.NewCache[string, models.EmailSettings](o.Listener, cacheLife, 1, "settings", "setting_secrets"),
		contact: db.NewCache[string, models.ContactSettings](o.Listener, cacheLife, 1, "settings", "setting_secrets"),
		media:   db.NewCache[string, models.MediaSettings](o.Listener, cacheLife, 1, "settings"),
	}
	s.followConsole(o.Listener)
	return s
}

// The names of the settings and of their secrets.
const (
	smsName       = "sms"
	smsAPIKey     = "sms.api_key"
	emailName     = "email"
	emailPassword = "email.password"
	emailAPIKey   = "email.api_key"
)

// defaultBudget is the daily SMS budget until it is set.
const defaultBudget = 1000

// Within returns settings that are read by tx. A caller that holds a connection
// must not wait for another one, because enough such callers would deadlock.
func (s *Settings) Within(tx pgx.Tx) *Settings {
	within := *s
	within.db = tx
	return &within
}

// Saved returns settings that are read from the database each time, for callers
// that have just changed them and must not read cached ones.
func (s *Settings) Saved() *Settings {
	saved := *s
	saved.sms, saved.email, saved.contact, saved.media = nil, nil, nil, nil
	return &saved
}

// SMS returns the SMS settings. The default is the virtual mode.
func (s *Settings) SMS(ctx context.Context) (models.SMSSettings, error) {
	if s.sms == nil {
		return s.loadSMS(ctx, s.db)
	}
	return s.sms.Get(ctx, smsName, func(ctx context.Context, _ string) (models.SMSSettings, error) { return s.loadSMS(ctx, s.db) })
}

func (s *Settings) loadSMS(ctx context.Context, q db.Querier) (models.SMSSettings, error) {
	v := models.SMSSettings{Mode: models.ModeVirtual, Budget: defaultBudget}
	err := s.load(ctx, q, smsName, &v, map[string]*models.Secret{smsAPIKey: &v.APIKey})
	return v, err
}

// Email returns the email settings. The default is the virtual mode.
func (s *Settings) Email(ctx context.Context) (models.EmailSettings, error) {
	if s.email == nil {
		return s.loadEmail(ctx, s.db)
	}
	return s.email.Get(ctx, emailName, func(ctx context.Context, _ string) (models.EmailSettings, error) { return s.loadEmail(ctx, s.db) })
}

func (s *Settings) loadEmail(ctx context.Context, q db.Querier) (models.EmailSettings, error) {
	v := models.EmailSettings{Mode: models.ModeVirtual, Port: 587, TLS: models.TLSStartTLS}
	err := s.load(ctx, q, emailName, &v, map[string]*models.Secret{emailPassword: &v.Password, emailAPIKey: &v.APIKey})
	return v, err
}

// load reads a setting into value, which holds the defaults, and its secrets.
func (s *Settings) load(ctx context.Context, q db.Querier, name string, value any, secrets map[string]*models.Secret) error {
	text, sealed, err := queries.SettingGet(ctx, q, name)
	if err != nil {
		return fmt.Errorf("reading the settings of %s: %w", name, err)
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("reading the settings of %s: %w", name, err)
	}
	for secret, place := range secrets {
		if sealed[secret] == nil {
			continue
		}
		plain, err := s.keyring.Open(sealed[secret], secretPlace(secret))
		if err != nil {
			return fmt.Errorf("opening %s: %w", secret, err)
		}
		*place = models.Secret(plain)
	}
	return nil
}

// secretPlace returns the keyring place of a secret.
func secretPlace(name string) string { return keyring.Place("setting_secrets", "sealed", name) }

// PhoneAllowed checks whether SMS may be sent to a number in E.164. If not, it
// returns an Invalid error with a message that can be shown at the field of the number.
func (s *Settings) PhoneAllowed(ctx context.Context, e164 string) error {
	v, err := s.SMS(ctx)
	if err != nil {
		return err
	}
	if len(v.Allowed) > 0 && !phone.Within(e164, v.Allowed) {
		return fault.New(fault.Invalid, "Codes are not sent to numbers of this country. Enter another mobile number.")
	}
	return nil
}

// secret is a key or password of a change.
type secret struct {
	name   string
	value  models.Secret // empty keeps the stored one
	forget bool
}

// save stores a setting and its secrets within tx, and records the change without
// the secrets.
func (s *Settings) save(ctx context.Context, tx pgx.Tx, c change) error {
	value, err := json.Marshal(c.after)
	if err != nil {
		return fmt.Errorf("writing the settings of %s: %w", c.name, err)
	}
	if err := writes.SettingUpsert(ctx, tx, c.name, value); err != nil {
		return fmt.Errorf("saving the settings of %s: %w", c.name, err)
	}
	changed := []string{}
	for _, secret := range c.secrets {
		switch {
		case secret.value != "":
			changed = append(changed, secret.name+" set")
			err = writes.SettingSecretUpsert(ctx, tx, secret.name, s.keyring.Seal([]byte(secret.value), secretPlace(secret.name)))
		case secret.forget:
			changed = append(changed, secret.name+" removed")
			err = writes.SettingSecretDelete(ctx, tx, secret.name)
		}
		if err != nil {
			return fmt.Errorf("saving %s: %w", secret.name, err)
		}
	}
	return audit.Record(ctx, tx, audit.Entry{
		Actor: c.actor, Action: "setting.update", Target: "setting:" + c.name,
		Details: map[string]any{"before": c.before, "after": c.after, "secrets": changed},
	})
}

// change is a setting before and after a change.
type change struct {
	name          string
	before, after any
	secrets       []secret
	actor         string
}
