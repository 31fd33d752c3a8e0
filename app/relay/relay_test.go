package relay_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/relay"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// deliver stores one delivery and returns how to load it again.
func deliver(t *testing.T) (pgx.Tx, func() models.Delivery) {
	t.Helper()
	tx := dbtest.Tx(t)
	ctx := t.Context()
	if _, err := tx.Exec(ctx, `
		with o as (insert into organisations (name) values ('Sandbox') returning id),
		r as (insert into registry select n, k, o.id from o, (values (1000000000000001, 'business'), (1000000000000002, 'business_account'), (1000000000000003, 'phone_number')) v (n, k) returning id)
		select count(*) from r`); err != nil {
		t.Fatal(err)
	}
	var organisation int64
	if err := tx.QueryRow(ctx, `select organisation_id from registry limit 1`).Scan(&organisation); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		queries.BusinessInsert(ctx, tx, 1000000000000001, organisation, "Sandbox"),
		queries.BusinessAccountInsert(ctx, tx, 1000000000000002, 1000000000000001, "Sandbox", uuid.NewString()[:8]+"_0000_0000_0000_000000000000"),
		queries.PhoneNumberInsert(ctx, tx, models.PhoneNumber{ID: 1000000000000003, BusinessAccountID: 1000000000000002, Number: "+910000000001", VerifiedName: "Sandbox", WebhookSecret: []byte("x")}),
		queries.WebhookUpsert(ctx, tx, models.Webhook{OrganisationID: organisation, Channel: "messaging", Subject: "1000000000000003", URL: "https://example.com", Headers: []byte("x")}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	webhook, err := queries.WebhookGet(ctx, tx, "messaging", "1000000000000003")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := queries.DeliveryInsertMany(ctx, tx, []queries.NewDelivery{{WebhookID: webhook.ID, Event: "message.sent", Body: []byte("{}")}})
	if err != nil {
		t.Fatal(err)
	}
	return tx, func() models.Delivery {
		d, err := queries.DeliveryGet(ctx, tx, stored[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
}

func failed() relay.Outcome {
	return relay.Outcome{Attempt: models.Attempt{StartedAt: time.Now(), URL: "https://example.com", Status: 503}}
}

func TestTenAttemptsThenGivenUp(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	want := []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}
	for i, pause := range want {
		fate, err := relay.Standard.RecordFailed(t.Context(), tx, load(), failed())
		if err != nil {
			t.Fatal(err)
		}
		if fate.RetryIn < pause*4/5 || fate.RetryIn > pause*6/5 || fate.Disabled {
			t.Errorf("after attempt %d: %+v, want a pause of %s give or take a fifth", i+1, fate, pause)
		}
	}
	fate, err := relay.Standard.RecordFailed(t.Context(), tx, load(), failed())
	if err != nil || fate.RetryIn != 0 {
		t.Errorf("after the tenth attempt: %+v, %v, want no more", fate, err)
	}
	if d := load(); d.State != "failed" || d.Attempts != 10 {
		t.Errorf("delivery is %s after %d attempts, want failed after 10", d.State, d.Attempts)
	}
}

// Endpoints that fail at the same moment are not tried again at the same moment.
func TestPausesVaryByAFifth(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	hours := relay.Schedule{Pauses: slices.Repeat([]time.Duration{time.Hour}, 60), Circuit: time.Minute}
	shorter, longer := 0, 0
	for range 60 {
		fate, err := hours.RecordFailed(t.Context(), tx, load(), failed())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case fate.RetryIn < 48*time.Minute || fate.RetryIn > 72*time.Minute:
			t.Errorf("a pause of %s, want an hour give or take a fifth", fate.RetryIn)
		case fate.RetryIn < 55*time.Minute:
			shorter++
		case fate.RetryIn > 65*time.Minute:
			longer++
		}
	}
	if shorter == 0 || longer == 0 {
		t.Errorf("of 60 pauses %d are clearly shorter than an hour and %d longer, want both", shorter, longer)
	}
}

func TestCircuitOpensAfterFiveFailuresAndClosesAtOnce(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	for i := range 5 {
		if wait := relay.Wait(load().Webhook, time.Now()); wait != 0 {
			t.Fatalf("the circuit is open after %d failures", i)
		}
		if _, err := relay.Standard.RecordFailed(t.Context(), tx, load(), failed()); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []time.Duration{7500 * time.Millisecond, 15 * time.Second, 30 * time.Second, time.Minute, time.Minute} {
		if wait := relay.Wait(load().Webhook, time.Now()); wait < want-time.Second || wait > want {
			t.Errorf("the circuit is open for %s, want %s", wait, want)
		}
		if _, err := relay.Standard.RecordFailed(t.Context(), tx, load(), failed()); err != nil {
			t.Fatal(err)
		}
	}
	good := models.Attempt{DeliveryID: load().ID, Number: 6, StartedAt: time.Now(), URL: "https://example.com", Status: 200}
	if err := relay.RecordDelivered(t.Context(), tx, []models.Attempt{good}); err != nil {
		t.Fatal(err)
	}
	if d := load(); relay.Wait(d.Webhook, time.Now()) != 0 || d.Webhook.Failures != 0 || d.State != "delivered" {
		t.Errorf("after a success: %+v", d)
	}
}

// Attempts overlap: a success that began before the failures ends their row too.
func TestSuccessBetweenFailuresKeepsTheCircuitClosed(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	began := load()
	for i := range 9 {
		if i == 4 {
			if err := relay.RecordDelivered(t.Context(), tx, []models.Attempt{{DeliveryID: began.ID, Number: 1, StartedAt: time.Now(), URL: "https://example.com", Status: 200}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := relay.Standard.RecordFailed(t.Context(), tx, load(), failed()); err != nil {
			t.Fatal(err)
		}
		if wait := relay.Wait(load().Webhook, time.Now()); (wait > 0) != (i == 8) {
			t.Errorf("after failure %d the wait is %s", i+1, wait)
		}
	}
}

func TestEndpointIsHeardAboutItsPause(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	asked := failed()
	asked.RetryAfter = time.Hour
	if fate, err := relay.Standard.RecordFailed(t.Context(), tx, load(), asked); err != nil || fate.RetryIn != time.Hour {
		t.Errorf("%+v, %v, want the hour that was asked for", fate, err)
	}
}

func TestFiveDaysOfFailuresDisable(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	if _, err := tx.Exec(t.Context(), `update webhooks set failures = 9, failing_since = now() - interval '5 days 1 minute'`); err != nil {
		t.Fatal(err)
	}
	fate, err := relay.Standard.RecordFailed(t.Context(), tx, load(), failed())
	if err != nil || !fate.Disabled || load().Webhook.DisabledAt == nil {
		t.Errorf("%+v, %v, want the webhook disabled", fate, err)
	}
}
