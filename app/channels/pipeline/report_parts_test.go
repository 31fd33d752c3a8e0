package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/relay"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// lamps is a channel for tests with more than one state of failure.
var lamps = &Channel{
	Name: "sms",
	Follows: map[string][]string{
		"sent": {Accepted}, "delivered": {Accepted, "sent"}, "undelivered": {Accepted, "sent"}, "expired": {Accepted, "sent"},
	},
	Failures: []string{"undelivered", "expired"},
	Callbacks: func(_ context.Context, _ pgx.Tx, changes []Change) (events []relay.Event, err error) {
		for _, c := range changes {
			events = append(events, relay.Event{WebhookID: c.WebhookID, Kind: fmt.Sprint(c.Step.State, ".", c.Step.Part), MessageID: &c.ID, Body: c.Step.ProviderID})
		}
		return events, nil
	},
}

type reporter struct {
	pool         *pgxpool.Pool
	jobs         *river.Client[pgx.Tx]
	organisation int64
}

func newReporter(t *testing.T) *reporter {
	t.Helper()
	pool := dbtest.Pool(t)
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	r := &reporter{pool, client, addOrganisation(t, pool, true)}
	_, err = pool.Exec(t.Context(), `insert into webhooks (organisation_id, channel, subject, url, headers) values ($1, 'sms', 'HELIOG', 'https://hooks.example.com/', '')`, r.organisation)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// add stores a message of parts that are being handed over.
func (r *reporter) add(t *testing.T, parts int) uuid.UUID {
	t.Helper()
	m := newMessage(r.organisation)
	m.Channel, m.Sender, m.Parts = "sms", "HELIOG", parts
	if _, err := NewAcceptor(r.pool, nil).Accept(t.Context(), Group{Messages: []models.Message{m}}); err != nil {
		t.Fatal(err)
	}
	for part := range parts {
		if _, err := writes.CarriageStart(t.Context(), r.pool, models.Carriage{MessageID: m.ID, Leg: 1, Part: part + 1, Channel: "sms", Carrier: "kannel"}); err != nil {
			t.Fatal(err)
		}
	}
	return m.ID
}

// report reports steps, each in a transaction of its own, and returns the states
// that the message moved to.
func (r *reporter) report(t *testing.T, steps ...Step) string {
	t.Helper()
	var made []string
	for _, step := range steps {
		err := db.InTx(t.Context(), r.pool, func(tx pgx.Tx) error {
			moved, err := NewChannels(lamps).Report(t.Context(), tx, r.jobs, step)
			for _, m := range moved {
				made = append(made, m.State)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(made, " ")
}

// A message is where its slowest part is, and fails with the first part that
// does. Each part and the message have callbacks of their own.
func TestMessageMovesWithItsParts(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	for _, tt := range []struct {
		parts         int
		reports       string
		moves, events string
	}{
		{2, "1 sent, 2 sent, 1 delivered, 2 delivered", "sent delivered", "sent.1 sent.2 sent.0 delivered.1 delivered.2 delivered.0"},
		{2, "1 sent, 1 sent, 1 delivered", "", "sent.1 delivered.1"},
		{2, "1 delivered, 2 sent, 2 delivered", "sent delivered", "delivered.1 sent.2 sent.0 delivered.2 delivered.0"},
		{2, "1 delivered, 1 sent, 2 delivered", "delivered", "delivered.1 delivered.2 delivered.0"},
		{3, "1 sent, 2 undelivered, 3 sent, 3 expired", "undelivered", "sent.1 undelivered.2 undelivered.0 sent.3 expired.3"},
		{2, "1 sent, 2 sent, 2 delivered, 1 expired, 1 delivered", "sent expired", "sent.1 sent.2 sent.0 delivered.2 expired.1 expired.0"},
		{1, "1 sent, 1 delivered, 1 delivered", "sent delivered", "sent.0 delivered.0"},
		{2, "0 sent, 0 delivered", "sent delivered", "sent.0 delivered.0"},
	} {
		id := r.add(t, tt.parts)
		var steps []Step
		for text := range strings.SplitSeq(tt.reports, ", ") {
			step := Step{MessageID: id, At: time.Now()}
			if _, err := fmt.Sscan(text, &step.Part, &step.State); err != nil {
				t.Fatal(err)
			}
			steps = append(steps, step)
		}
		moves := r.report(t, steps...)
		var events string
		err := r.pool.QueryRow(t.Context(), `select coalesce(string_agg(event, ' ' order by id), '') from deliveries where message_id = $1`, id).Scan(&events)
		if err != nil {
			t.Fatal(err)
		}
		if moves != tt.moves || events != tt.events {
			t.Errorf("%s: moved %q with callbacks %q, want %q and %q", tt.reports, moves, events, tt.moves, tt.events)
		}
	}
}

// Two parts that are reported at the same time move the message.
func TestPartsReportedAtOnceMoveTheMessage(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	id := r.add(t, 2)
	step := func(part int) Step { return Step{MessageID: id, Part: part, State: "delivered", At: time.Now()} }
	first, err := r.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewChannels(lamps).Report(t.Context(), first, r.jobs, step(1)); err != nil {
		t.Fatal(err)
	}
	second := make(chan string)
	go func() { second <- r.report(t, step(2)) }()
	// The second report waits for the first, which this query shows.
	for count(t, r.pool, `select count(*) from pg_locks where not granted`) == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := first.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if moves := <-second; moves != "delivered" {
		t.Errorf("the message moved %q, want delivered", moves)
	}
}

// A carrier names parts by its own ids, each of which means one part.
func TestCarriageIsFoundByTheCarriersID(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	one, other := r.add(t, 2), r.add(t, 1)
	r.report(t, Step{MessageID: one, Part: 2, State: "sent", At: time.Now(), ProviderID: "k-1", Failure: &Failure{Code: 1, Title: "Late"}},
		Step{MessageID: other, Part: 1, State: "sent", At: time.Now(), ProviderID: "k-1"})
	if found, err := queries.UpstreamMessageFind(t.Context(), r.pool, "kannel", "k-1"); err != nil || found != one {
		t.Errorf("k-1 is %v, %v; want the first message", found, err)
	}
	parts, err := queries.CarriageListOf(t.Context(), r.pool, one, 1)
	if err != nil || len(parts) != 2 || parts[1].State != "sent" || parts[1].ProviderID != "k-1" || !strings.Contains(string(parts[1].Failure), "Late") {
		t.Errorf("the first message has the parts %+v, %v; want the second one as k-1", parts, err)
	}
	for _, unknown := range [][2]string{{"kannel", "k-2"}, {"http", "k-1"}} {
		if _, err := queries.UpstreamMessageFind(t.Context(), r.pool, unknown[0], unknown[1]); !errors.Is(err, pgx.ErrNoRows) {
			t.Errorf("id %s of %s: %v, want no row", unknown[1], unknown[0], err)
		}
	}
	if err := writes.CarrierIDDelete(t.Context(), r.pool, time.Hour, time.Hour); err != nil {
		t.Fatal(err)
	}
	if n := count(t, r.pool, `select count(*) from carrier_ids`); n != 1 {
		t.Error("a new id was deleted")
	}
	if err := writes.CarrierIDDelete(t.Context(), r.pool, 0, 0); err != nil {
		t.Fatal(err)
	}
	if n := count(t, r.pool, `select count(*) from carrier_ids`); n != 0 {
		t.Error("an old id was kept")
	}
}

// An id that a carrier gives twice means the first message. The others of the same report
// are not spoiled.
func TestRepeatedIDOfTheCarrierSpoilsNothing(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	ids := []uuid.UUID{r.add(t, 1), r.add(t, 1), r.add(t, 1), r.add(t, 1)}
	sent := func(i int, id string) Step {
		return Step{MessageID: ids[i], Part: 1, Alone: true, State: "sent", At: time.Now(), ProviderID: id, Carrier: "kannel"}
	}
	if moves := r.report(t, sent(0, "k-1")); moves != "sent" {
		t.Errorf("the first message moved %q, want sent", moves)
	}
	var moved []models.Moved
	err := db.InTx(t.Context(), r.pool, func(tx pgx.Tx) (err error) {
		moved, err = NewChannels(lamps).Report(t.Context(), tx, r.jobs, sent(1, "k-2"), sent(2, "k-1"), sent(3, "k-3"))
		return err
	})
	if err != nil || len(moved) != 3 {
		t.Errorf("%d of the others moved, %v; want all three", len(moved), err)
	}
	for i, id := range map[int]string{0: "k-1", 1: "k-2", 3: "k-3"} {
		if found, err := queries.UpstreamMessageFind(t.Context(), r.pool, "kannel", id); err != nil || found != ids[i] {
			t.Errorf("%s means %v, %v; want message %d", id, found, err, i)
		}
	}
}

// Callbacks go to the subject that a message names, or to nobody.
func TestCallbacksGoToTheSubjectOfTheMessage(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	if _, err := r.pool.Exec(t.Context(), `insert into webhooks (organisation_id, channel, subject, url, headers) values ($1, 'sms', 'own', 'https://own.example.com/', '')`, r.organisation); err != nil {
		t.Fatal(err)
	}
	for subject, want := range map[string]string{"": "HELIOG", "own": "own", "-": ""} {
		m := newMessage(r.organisation)
		m.Channel, m.Sender, m.Subject = "sms", "HELIOG", subject
		if _, err := NewAcceptor(r.pool, nil).Accept(t.Context(), Group{Messages: []models.Message{m}}); err != nil {
			t.Fatal(err)
		}
		r.report(t, Step{MessageID: m.ID, State: "sent", At: time.Now()})
		var got string
		err := r.pool.QueryRow(t.Context(), `
			select coalesce(string_agg(w.subject, ' '), '') from deliveries d join webhooks w on w.id = d.webhook_id where d.message_id = $1`, m.ID).Scan(&got)
		if err != nil || got != want {
			t.Errorf("subject %q: callbacks to %q, %v; want %q", subject, got, err, want)
		}
	}
}

// Usage and the log count every state of failed messages.
func TestFailuresOfEveryChannelAreCounted(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	for _, state := range []string{"undelivered", "expired", "delivered"} {
		r.report(t, Step{MessageID: r.add(t, 1), State: state, At: time.Now()})
	}
	usage, _, err := queries.UsageList(t.Context(), r.pool, r.organisation, time.Now().Add(-24*time.Hour))
	if err != nil || len(usage) != 1 || usage[0].Failed != 2 || usage[0].Delivered != 1 {
		t.Errorf("usage is %+v, %v; want 2 failed and 1 delivered", usage, err)
	}
	for state, want := range map[string]int{"failed": 2, "expired": 1, "delivered": 1, "sent": 0} {
		page, err := queries.MessageList(t.Context(), r.pool, queries.MessageFilter{OrganisationID: r.organisation, State: state}, 10)
		if err != nil || len(page.Items) != want {
			t.Errorf("%d messages are %s, %v; want %d", len(page.Items), state, err, want)
		}
	}
}
