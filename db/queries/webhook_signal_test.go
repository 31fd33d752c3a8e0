package queries_test

import (
	"slices"
	"testing"
	"time"

	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// Open pages hear of a webhook that is set, changed or removed, and not of each
// attempt to reach it.
func TestChangesOfWebhooksAreSignalled(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener := db.NewListener(pool)
	heard := make(chan string, 100)
	listener.Subscribe(func(payload string) { heard <- payload })
	go listener.Run(t.Context())
	<-heard // connected
	exec := execOn(t, pool)
	hears := func(what string, want ...string) {
		t.Helper()
		exec(`select pg_notify($1, 'last')`, db.Channel)
		var all []string
		for payload := range heard {
			if payload == "last" {
				break
			}
			all = append(all, payload)
		}
		if !slices.Equal(all, want) {
			t.Errorf("%s is signalled by %q, want %q", what, all, want)
		}
	}
	const signal = "live:webhooks:7"
	exec(`insert into organisations (id, name) overriding system value values (7, 'Lighthouse')`)
	hears("an organisation", "changed:organisations")
	if err := writes.WebhookUpsert(t.Context(), pool, models.Webhook{OrganisationID: 7, Channel: "sms", Subject: "7", URL: "https://example.com", Headers: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	hears("a webhook that is set", signal)
	var id int64
	if err := pool.QueryRow(t.Context(), `select id from webhooks`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if _, err := writes.WebhookUpdateProbing(t.Context(), pool, id, time.Now()); err != nil {
		t.Fatal(err)
	}
	exec(`update webhooks set failures = 1, open_until = now()`)
	hears("an attempt")
	if err := writes.WebhookUpdateEnabled(t.Context(), pool, id); err != nil {
		t.Fatal(err)
	}
	hears("one that is enabled again", signal)
	exec(`delete from webhooks`)
	hears("one that is removed", signal, "changed:webhooks")
}
