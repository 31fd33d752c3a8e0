package retention_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/keyring"
	"heliograph/app/operation/retention"
	"heliograph/app/operation/setting"
	"heliograph/db"
	"heliograph/db/dbtest"
	channelsqueries "heliograph/db/queries/channels"
)

// What a lost key sealed is removed or replaced, what other keys open stays, and
// processes start again.
func TestLostKeyIsReplaced(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	keysOf := func(entries ...string) *keyring.Keyring {
		t.Helper()
		k, err := keyring.New(entries)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	first, second := "k1:"+strings.Repeat("A", 43)+"=", "k2:"+strings.Repeat("C", 42)+"A="
	old, kept, both := keysOf(first), keysOf(second), keysOf(first, second)
	if err := setting.CheckKeys(t.Context(), tx, both); err != nil {
		t.Fatal(err)
	}
	seal := func(k *keyring.Keyring, table, column, row, plain string) []byte {
		return k.Seal([]byte(plain), keyring.Place(table, column, row))
	}
	exec(`insert into setting_secrets (name, sealed) values ('sms.api_key', $1), ('email.password', $2)`,
		seal(old, "setting_secrets", "sealed", "sms.api_key", "lost"), seal(kept, "setting_secrets", "sealed", "email.password", "kept"))
	exec(`insert into carriers (name, kind, secret) values ('operator', 'kannel', $1)`, seal(old, "carriers", "secret", "operator", "lost"))
	queued := uuid.New()
	exec(`insert into notifications (id, kind, purpose, recipient, body, expires_at) values ($1, 'email', 'invitation', 'asha@example.com', $2, $3)`,
		queued, seal(old, "notifications", "body", queued.String(), "lost"), time.Now().Add(time.Hour))
	exec(`with o as (insert into organisations (name) values ('Sandbox') returning id)
		insert into webhooks (organisation_id, channel, subject, url, headers, secret) select id, 'rcs', 'bot', 'https://example.com', $1, $2 from o`,
		seal(old, "webhooks", "headers", "rcs/bot", `{"a":"b"}`), seal(old, "webhooks", "secret", "rcs/bot", "lost"))
	exec(`with o as (select min(id) as id from organisations), s as (select * from (values ('a', $1::bytea, $2::bytea), ('b', $3, $4)) as s (subject, headers, secret))
		insert into webhooks (organisation_id, channel, subject, url, headers, secret) select o.id, 'sms', s.subject, 'https://example.com', s.headers, s.secret from o, s`,
		seal(kept, "webhooks", "headers", "sms/a", "{}"), seal(old, "webhooks", "secret", "sms/a", "lost"),
		seal(kept, "webhooks", "headers", "sms/b", "{}"), seal(old, "webhooks", "secret", "sms/b", "lost"))

	if err := setting.CheckKeys(t.Context(), tx, kept); err == nil {
		t.Error("processes start without a key that sealed what is stored")
	}
	l := retention.LostKey{Keys: kept, Actor: "operator"}
	for range 2 { // counting changes nothing
		found, err := l.Count(t.Context(), tx)
		if err != nil || len(found) != 5 {
			t.Fatalf("lost: %+v, %v, want five kinds", found, err)
		}
	}
	if _, err := l.Replace(t.Context(), tx); err == nil {
		t.Error("replaced without a reason")
	}
	l.Reason = "The key burnt with its safe."
	if _, err := l.Replace(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	if err := setting.CheckKeys(t.Context(), tx, kept); err != nil {
		t.Errorf("after the replacement: %v", err)
	}
	if found, err := l.Count(t.Context(), tx); err != nil || len(found) != 0 {
		t.Errorf("still lost: %+v, %v", found, err)
	}
	for query, want := range map[string]string{
		`select string_agg(name, ',') from setting_secrets`:                                                         "email.password",
		`select coalesce(secret::text, 'none') from carriers where name = 'operator'`:                               "none",
		`select state || coalesce(body::text, ', no body') from notifications where id = '` + queued.String() + `'`: "cancelled, no body",
		`select actor || ' ' || action from audit_entries order by seq desc limit 1`:                                "operator key.lost",
	} {
		var got string
		if err := tx.QueryRow(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s gives %q, %v, want %q", query, got, err, want)
		}
	}
	checkReplaced(t, tx, kept)
}

// checkReplaced fails if the webhook of the bot lacks new values, or if the
// addresses for reports of an account, sms/a and sms/b, do not share a secret.
func checkReplaced(t *testing.T, q db.Querier, keys *keyring.Keyring) {
	t.Helper()
	w, err := channelsqueries.WebhookGet(t.Context(), q, "rcs", "bot")
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := keys.Open(w.Headers, keyring.Place("webhooks", "headers", "rcs/bot")); err != nil || string(plain) != "{}" {
		t.Errorf("the headers are %q, %v", plain, err)
	}
	if plain, err := keys.Open(w.Secret, keyring.Place("webhooks", "secret", "rcs/bot")); err != nil || len(plain) < 40 {
		t.Errorf("the secret is %q, %v, want a new one", plain, err)
	}
	var secrets []string
	for _, subject := range []string{"a", "b"} {
		w, err := channelsqueries.WebhookGet(t.Context(), q, "sms", subject)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := keys.Open(w.Secret, keyring.Place("webhooks", "secret", "sms/"+subject))
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, string(plain))
	}
	if secrets[0] != secrets[1] {
		t.Errorf("the addresses of an account have the secrets %q, want one", secrets)
	}
}
