package relay_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
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
		writes.BusinessInsert(ctx, tx, 1000000000000001, organisation, "Sandbox"),
		writes.BusinessAccountInsert(ctx, tx, 1000000000000002, 1000000000000001, "Sandbox", uuid.NewString()[:8]+"_0000_0000_0000_000000000000"),
		writes.PhoneNumberInsert(ctx, tx, models.PhoneNumber{ID: 1000000000000003, BusinessAccountID: 1000000000000002, Number: "+910000000001", VerifiedName: "Sandbox", WebhookSecret: []byte("x")}),
		writes.WebhookUpsert(ctx, tx, models.Webhook{OrganisationID: organisation, Channel: "messaging", Subject: "1000000000000003", URL: "https://example.com", Headers: []byte("x")}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	webhook, err := queries.WebhookGet(ctx, tx, "messaging", "1000000000000003")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := writes.DeliveryInsertMany(ctx, tx, []writes.NewDelivery{{WebhookID: webhook.ID, Event: "message.sent", Body: []byte("{}")}})
	if err != nil {
		t.Fatal(err)
	}
	return tx, func() models.Delivery {
		found, err := queries.DeliveryListRelayed(ctx, tx, []int64{stored[0].ID})
		if err != nil {
			t.Fatal(err)
		}
		return found[0]
	}
}

func failed() relay.Outcome {
	return relay.Outcome{Attempt: models.Attempt{StartedAt: time.Now(), URL: "https://example.com", Status: 503}}
}

// record stores the outcome of an attempt at a delivery.
func record(t *testing.T, tx pgx.Tx, s relay.Schedule, d models.Delivery, o relay.Outcome) *relay.Result {
	t.Helper()
	r := relay.NewResult(d, s, o)
	if err := relay.Record(t.Context(), tx, []*relay.Result{r}); err != nil {
		t.Fatal(err)
	}
	return r
}

func worked() relay.Outcome {
	o := failed()
	o.Succeeded, o.Attempt.Status = true, 200
	return o
}

func TestTenAttemptsThenGivenUp(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	want := []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}
	for i, pause := range want {
		fate := record(t, tx, relay.Standard, load(), failed())
		if fate.RetryIn < pause*4/5 || fate.RetryIn > pause*6/5 || fate.Disabled {
			t.Errorf("after attempt %d: %+v, want a pause of %s give or take a fifth", i+1, fate, pause)
		}
	}
	fate := record(t, tx, relay.Standard, load(), failed())
	if fate.RetryIn != 0 {
		t.Errorf("after the tenth attempt: a pause of %s, want no more", fate.RetryIn)
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
		fate := record(t, tx, hours, load(), failed())
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
	var now time.Time // of the database, which stands still in a transaction
	if err := tx.QueryRow(t.Context(), `select now()`).Scan(&now); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if wait := relay.Wait(load().Webhook, now); wait != 0 {
			t.Fatalf("the circuit is open after %d failures", i)
		}
		record(t, tx, relay.Standard, load(), failed())
	}
	for _, want := range []time.Duration{7500 * time.Millisecond, 15 * time.Second, 30 * time.Second, time.Minute, time.Minute} {
		if wait := relay.Wait(load().Webhook, now); wait != want {
			t.Errorf("the circuit is open for %s, want %s", wait, want)
		}
		record(t, tx, relay.Standard, load(), failed())
	}
	record(t, tx, relay.Standard, load(), worked())
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
			record(t, tx, relay.Standard, began, worked())
		}
		record(t, tx, relay.Standard, load(), failed())
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
	if fate := record(t, tx, relay.Standard, load(), asked); fate.RetryIn != time.Hour {
		t.Errorf("a pause of %s, want the hour that was asked for", fate.RetryIn)
	}
}

func TestFiveDaysOfFailuresDisable(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	if _, err := tx.Exec(t.Context(), `update webhooks set failures = 9, failing_since = now() - interval '5 days 1 minute'`); err != nil {
		t.Fatal(err)
	}
	if fate := record(t, tx, relay.Standard, load(), failed()); !fate.Disabled || load().Webhook.DisabledAt == nil {
		t.Errorf("%+v, want the webhook disabled", fate)
	}
}

// Attempts that are stored together have no order: failures that come with a
// success open no circuit and disable nothing.
func TestAttemptsStoredTogetherAreJudgedTogether(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name              string
		failed, succeeded int
		gone              bool
		open, disabled    bool
	}{
		{"four failures", 4, 0, false, false, false},
		{"five failures", 5, 0, false, true, true},
		{"nine failures and a success", 9, 1, false, false, false},
		{"gone", 0, 1, true, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx, load := deliver(t)
			first := load()
			webhook := first.Webhook.ID
			if tt.disabled && !tt.gone {
				if _, err := tx.Exec(t.Context(), `update webhooks set failing_since = now() - interval '6 days'`); err != nil {
					t.Fatal(err)
				}
			}
			outcomes := slices.Concat(slices.Repeat([]relay.Outcome{failed()}, tt.failed), slices.Repeat([]relay.Outcome{worked()}, tt.succeeded))
			if tt.gone {
				o := failed()
				o.Gone = true
				outcomes = append(outcomes, o)
			}
			var results []*relay.Result
			for _, o := range outcomes {
				stored, err := writes.DeliveryInsertMany(t.Context(), tx, []writes.NewDelivery{{WebhookID: webhook, Event: "message.sent", Body: []byte("{}")}})
				if err != nil {
					t.Fatal(err)
				}
				d := first
				d.ID = stored[0].ID
				results = append(results, relay.NewResult(d, relay.Standard, o))
			}
			if err := relay.Record(t.Context(), tx, results); err != nil {
				t.Fatal(err)
			}
			w := load().Webhook
			if got := relay.Wait(w, time.Now()) > 0; got != tt.open {
				t.Errorf("the circuit is open: %t, want %t", got, tt.open)
			}
			told := 0
			for _, r := range results {
				if r.Disabled {
					told++
				}
			}
			if got := w.DisabledAt != nil; got != tt.disabled || got != (told == 1) {
				t.Errorf("the webhook is disabled: %t, by %d results; want %t", got, told, tt.disabled)
			}
			if want := float64(tt.failed); w.RecentFailures != want {
				t.Errorf("%v recent failures, want %v", w.RecentFailures, want)
			}
		})
	}
}
