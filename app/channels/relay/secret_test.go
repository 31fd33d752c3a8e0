package relay_test

import (
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// The webhooks of an organisation on a channel share a secret. It is rotated and
// retired for all of them, and for nobody else's.
func TestSecretsAreRotatedAndRetired(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	e := relay.NewEndpoints(relay.Options{DB: tx, Keyring: keys})
	var organisations [2]int64
	for i := range organisations {
		if err := tx.QueryRow(t.Context(), `insert into organisations (name) values ('Lighthouse') returning id`).Scan(&organisations[i]); err != nil {
			t.Fatal(err)
		}
	}
	mine, other := organisations[0], organisations[1]
	for _, p := range []relay.Endpoint{
		{OrganisationID: mine, Channel: "messaging", Subject: "1", URL: "https://example.com/1", Secret: "first"},
		{OrganisationID: mine, Channel: "messaging", Subject: "2", URL: "https://example.com/2", Secret: "first"},
		{OrganisationID: mine, Channel: "sms", Subject: "1", URL: "https://example.com/3", Secret: "first"},
		{OrganisationID: other, Channel: "messaging", Subject: "3", URL: "https://example.com/4", Secret: "first"},
	} {
		if err := e.Set(t.Context(), tx, p); err != nil {
			t.Fatal(err)
		}
	}
	read := func(channel, subject string) (models.Webhook, relay.Secrets) {
		t.Helper()
		w, err := e.Get(t.Context(), channel, subject)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Secrets(w)
		if err != nil {
			t.Fatal(err)
		}
		return w, s
	}
	rotate := func() error { return e.RotateSecret(t.Context(), tx, "messaging", mine) }
	retire := func() error { return e.RetireSecret(t.Context(), tx, "messaging", mine) }
	if err := retire(); !fault.Is(err, fault.Conflict) {
		t.Errorf("retiring without a previous secret: %v", err)
	}
	began := time.Now()
	if err := rotate(); err != nil {
		t.Fatal(err)
	}
	w, rotated := read("messaging", "1")
	if rotated.Previous != "first" || !strings.HasPrefix(rotated.Current, "whsec_") {
		t.Errorf("after a rotation the secrets are %+v", rotated)
	}
	if until := w.PreviousSecretUntil; until == nil || until.Sub(began) < 24*time.Hour-time.Second || until.Sub(began) > 24*time.Hour+time.Minute {
		t.Errorf("the previous secret signs until %v, want a day", until)
	}
	if _, second := read("messaging", "2"); second != rotated {
		t.Errorf("the second webhook has %+v, want those of the first", second)
	}
	for _, untouched := range [][2]string{{"sms", "1"}, {"messaging", "3"}} {
		if _, s := read(untouched[0], untouched[1]); s != (relay.Secrets{Current: "first"}) {
			t.Errorf("the webhook %v has %+v", untouched, s)
		}
	}
	if err := rotate(); !fault.Is(err, fault.Conflict) {
		t.Errorf("rotating while two secrets sign: %v", err)
	}
	if err := retire(); err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{"1", "2"} {
		if w, s := read("messaging", subject); s != (relay.Secrets{Current: rotated.Current}) || w.PreviousSecretUntil != nil {
			t.Errorf("after retiring webhook %s has %+v until %v", subject, s, w.PreviousSecretUntil)
		}
	}
	w.Subject = "2" // the secrets of one webhook do not open in the place of another
	if s, err := e.Secrets(w); err == nil {
		t.Errorf("secrets in another place are %+v", s)
	}
}
