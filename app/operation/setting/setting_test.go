package setting_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
)

// defaultBudget is the daily SMS budget until it is set.
const defaultBudget = 1000

type anywhere struct{}

func (anywhere) CheckURL(context.Context, string) error { return nil }

// ring is a keyring of keys by their ids, the first sealing.
func ring(t *testing.T, ids ...string) *keyring.Keyring {
	t.Helper()
	var entries []string
	for _, id := range ids {
		entries = append(entries, id+":"+strings.Repeat(strings.ToUpper(id[:1]), 43)+"=")
	}
	k, err := keyring.New(entries)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func change(budget string) setting.SMSChange {
	return setting.SMSChange{
		Mode: models.ModeActual, URL: "https://sms.example.com/send", SenderID: "HELIOG", APIKey: "planted-key", Allowed: "IN", Budget: budget,
	}
}

// What one process saves, another uses at once, though it keeps settings in
// memory.
func TestSettingsReachEveryProcess(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener := db.NewListener(pool)
	here := setting.New(setting.Options{DB: pool, Listener: db.NewListener(pool), Keyring: ring(t, "a"), Guard: anywhere{}})
	there := setting.New(setting.Options{DB: pool, Listener: listener, Keyring: ring(t, "a")})
	dbtest.Listen(t, listener)
	if v, err := there.SMS(t.Context()); err != nil || v.Budget != defaultBudget || v.Mode != models.ModeVirtual {
		t.Fatalf("before: %+v, %v", v, err)
	}
	// While the news of a change is still on its way.
	exec := func(sql string) {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`begin; set local session_replication_role = replica; insert into settings (name, value) values ('sms', '{"mode": "virtual", "budget": 6}'); commit`)
	if v, err := there.Saved().SMS(t.Context()); err != nil || v.Budget != 6 {
		t.Errorf("what is saved: %+v, %v", v, err)
	}
	if v, err := there.SMS(t.Context()); err != nil || v.Budget != defaultBudget {
		t.Errorf("what is kept in memory: %+v, %v", v, err)
	}
	if err := here.SaveSMS(t.Context(), change("7"), "admin:1"); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		v, err := there.SMS(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if v.Budget == 7 && string(v.APIKey) == "planted-key" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after 10 s: %+v", v)
		}
	}
	if text := fmt.Sprintf("%v %+v %#v", change("7"), change("7"), change("7")); strings.Contains(text, "planted-key") {
		t.Errorf("a change prints its key: %s", text)
	}
}

func TestPhoneAllowed(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	s := setting.New(setting.Options{DB: pool, Listener: db.NewListener(pool), Keyring: ring(t, "a"), Guard: anywhere{}})
	if err := s.PhoneAllowed(t.Context(), "+447400123456"); err != nil {
		t.Errorf("nothing is decided, and yet %v", err)
	}
	if err := s.SaveSMS(t.Context(), change("7"), "admin:1"); err != nil {
		t.Fatal(err)
	}
	if err := s.PhoneAllowed(t.Context(), "+919812345678"); err != nil {
		t.Errorf("an allowed country: %v", err)
	}
	if err := s.PhoneAllowed(t.Context(), "+447400123456"); !fault.Is(err, fault.Invalid) {
		t.Errorf("another country: %v", err)
	}
}

// Every column that contains sealed values is re-encrypted, and can be decrypted with the
// new key alone.
func TestReseal(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	old, both, fresh := ring(t, "a"), ring(t, "b", "a"), ring(t, "b")
	s := setting.New(setting.Options{DB: pool, Listener: db.NewListener(pool), Keyring: old, Guard: anywhere{}})
	if err := s.SaveSMS(t.Context(), change("7"), "admin:1"); err != nil {
		t.Fatal(err)
	}
	var sandbox assets.Sandbox
	err := db.InTx(t.Context(), pool, func(tx pgx.Tx) error {
		var organisation int64
		if err := tx.QueryRow(t.Context(), `insert into organisations (name, status) values ('Lighthouse', 'active') returning id`).Scan(&organisation); err != nil {
			return err
		}
		var err error
		sandbox, err = messaging.Provision(t.Context(), tx, old, organisation, "Lighthouse")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := setting.Reseal(t.Context(), pool, old); n != 0 || err != nil {
		t.Errorf("with one key %d values are re-encrypted, %v", n, err)
	}
	if n, err := setting.Reseal(t.Context(), pool, fresh); n != 0 || err == nil {
		t.Errorf("without the old key %d values are re-encrypted, %v", n, err)
	}
	if n, err := setting.Reseal(t.Context(), pool, both); n != 2 || err != nil {
		t.Errorf("%d values are re-encrypted, %v, want 2", n, err)
	}
	if n, err := setting.Reseal(t.Context(), pool, both); n != 0 || err != nil {
		t.Errorf("the second time %d values are re-encrypted, %v", n, err)
	}
	s = setting.New(setting.Options{DB: pool, Listener: db.NewListener(pool), Keyring: fresh})
	if v, err := s.SMS(t.Context()); err != nil || string(v.APIKey) != "planted-key" {
		t.Errorf("with the new key alone: %v", err)
	}
	var sealed []byte
	if err := pool.QueryRow(t.Context(), `select webhook_secret from phone_numbers where id = $1`, sandbox.PhoneNumberID).Scan(&sealed); err != nil {
		t.Fatal(err)
	}
	if plain, err := fresh.Open(sealed, keyring.Place("phone_numbers", "webhook_secret", sandbox.PhoneNumberID)); err != nil || string(plain) != sandbox.WebhookSecret {
		t.Errorf("the webhook secret opens as %q, %v", plain, err)
	}
	for _, c := range queries.SealedColumns {
		if _, err := queries.SealedList(t.Context(), pool, c, queries.SealedPage{First: "v1:b:", Limit: 1}); err != nil {
			t.Errorf("%s.%s: %v", c.Table, c.Column, err)
		}
	}
}
