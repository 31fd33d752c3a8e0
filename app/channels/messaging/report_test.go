package messaging_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/db"
)

// channels holds the channel alone.
var channels = pipeline.NewChannels(messaging.Declaration)

// accepted sends a message and returns its id.
func (b *bundle) accepted(t *testing.T) uuid.UUID {
	t.Helper()
	reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(hello), "")
	if err != nil {
		t.Fatal(err)
	}
	var sent messaging.SendReply
	if err := json.Unmarshal(reply.Body, &sent); err != nil {
		t.Fatal(err)
	}
	id, ok := messaging.ParseMessageID(sent.Messages[0].ID)
	if !ok {
		t.Fatalf("message id %q is not one of ours", sent.Messages[0].ID)
	}
	return id
}

// report reports states of a message in one transaction and returns those that
// it moved to.
func (b *bundle) report(t *testing.T, id uuid.UUID, states ...string) string {
	t.Helper()
	var made []string
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		var steps []pipeline.Step
		for _, state := range states {
			step := pipeline.Step{MessageID: id, State: state, At: time.Now()}
			if state == "failed" {
				step.Failure = &pipeline.Failure{Code: 131026, Title: "Message undeliverable"}
			}
			steps = append(steps, step)
		}
		moved, err := channels.Report(t.Context(), tx, b.jobs, steps...)
		for _, m := range moved {
			made = append(made, m.State)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(made, " ")
}

// A carrier repeats itself and mixes up the order: a message moves forward
// alone, and each state that it reaches is one callback.
func TestReportsMoveMessagesForward(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: "https://hooks.example.com/"}, "test"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reports string // words of one report are one transaction, reports are parted by /
		moves   string
		state   string
	}{
		{"sent / delivered / read", "sent delivered read", "read"},
		{"sent delivered read", "sent delivered read", "read"},
		{"sent sent / sent", "sent", "sent"},
		{"read / delivered / sent", "read", "read"},
		{"delivered / sent / read / read", "delivered read", "read"},
		{"failed / sent / delivered / read / failed", "failed", "failed"},
		{"sent / failed / delivered", "sent failed", "failed"},
		{"delivered / failed / read", "delivered read", "read"},
		{"read / failed", "read", "read"},
	} {
		id := b.accepted(t)
		var moves []string
		for report := range strings.SplitSeq(tt.reports, " / ") {
			if made := b.report(t, id, strings.Fields(report)...); made != "" {
				moves = append(moves, made)
			}
		}
		var state, events string
		err := b.pool.QueryRow(t.Context(), `
			select state, (select coalesce(string_agg(split_part(event, '.', 2), ' ' order by d.id), '') from deliveries d where d.message_id = m.id)
			from messages m where id = $1`, id).Scan(&state, &events)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(moves, " "); got != tt.moves || state != tt.state || events != tt.moves {
			t.Errorf("%s: moved %s, callbacks %s, at last %s; want %s and %s", tt.reports, got, events, state, tt.moves, tt.state)
		}
	}
}

// What no carrier may say changes nothing, not even what came beside it.
func TestReportRefusesUnknownStates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, other := b.accepted(t), b.accepted(t)
	for _, state := range []string{"accepted", "seen", ""} {
		err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
			_, err := channels.Report(t.Context(), tx, b.jobs,
				pipeline.Step{MessageID: other, State: "sent", At: time.Now()}, pipeline.Step{MessageID: id, State: state, At: time.Now()})
			return err
		})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", state)) {
			t.Errorf("state %q gives %v, want an error that names it", state, err)
		}
	}
	if n := b.count(t, `select count(*) from messages where state = 'accepted'`); n != 2 {
		t.Errorf("%d messages are as they were, want both", n)
	}
}

// Messages of one report are apart; one that is not there is nobody's.
func TestReportsOfManyMessages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.accepted(t), b.accepted(t)
	at := time.Now().Add(-time.Minute).Truncate(time.Microsecond)
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		_, err := channels.Report(t.Context(), tx, b.jobs,
			pipeline.Step{MessageID: first, State: "sent", At: at, ProviderID: "p-1"},
			pipeline.Step{MessageID: uuid.New(), State: "sent", At: at},
			pipeline.Step{MessageID: second, State: "failed", At: at, Failure: &pipeline.Failure{Code: 131026, Title: "Message undeliverable", Detail: "no such account"}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, `select count(*) from messages where id = $1 and state = 'sent' and provider_id = 'p-1' and failure is null
		and exists (select from message_events e where e.message_id = id and e.occurred_at = $2)`, first, at); n != 1 {
		t.Error("the first message does not have its state, time and provider's id")
	}
	if n := b.count(t, `select count(*) from messages where id = $1 and state = 'failed' and failure->>'detail' = 'no such account' and (failure->>'code')::int = 131026`, second); n != 1 {
		t.Error("the second message does not have its failure")
	}
}

// Callbacks to an endpoint that fails wait behind those to one that works.
func TestCallbacksOfFailingEndpointsWaitBehind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: "https://hooks.example.com/"}, "test"); err != nil {
		t.Fatal(err)
	}
	priority := func() (p int) {
		b.report(t, b.accepted(t), "sent")
		return b.count(t, `select priority from river.river_job where kind = 'relay_callback' order by id desc limit 1`)
	}
	healthy := priority()
	if _, err := b.pool.Exec(t.Context(), `update webhooks set failures = 1, failing_since = now()`); err != nil {
		t.Fatal(err)
	}
	if failing := priority(); failing <= healthy {
		t.Errorf("callbacks have priority %d to an endpoint that works and %d to one that fails, want the latter behind", healthy, failing)
	}
}

// Callbacks give their time in whole seconds. A state that is reported at the time of
// the one before, or earlier, has a time right after it, so that none lies in the
// future.
func TestCallbacksOfAMessageHaveTimesInOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: "https://hooks.example.com/"}, "test"); err != nil {
		t.Fatal(err)
	}
	id, at := b.accepted(t), time.Unix(1_700_000_000, 500)
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		_, err := channels.Report(t.Context(), tx, b.jobs,
			pipeline.Step{MessageID: id, State: "sent", At: at},
			pipeline.Step{MessageID: id, State: "delivered", At: at},
			pipeline.Step{MessageID: id, State: "read", At: at.Add(-time.Hour)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var times, events string
	err = b.pool.QueryRow(t.Context(), `
		select string_agg(convert_from(body, 'UTF8')::json #>> '{entry,0,changes,0,value,statuses,0,timestamp}', ' ' order by id),
		       (select string_agg(state, ' ' order by occurred_at) from message_events e where e.message_id = $1 and state <> 'accepted')
		from deliveries where message_id = $1`, id).Scan(&times, &events)
	if err != nil || times != "1700000000 1700000000 1700000000" || events != "sent delivered read" {
		t.Errorf("the callbacks are of %s and the events are %s, %v", times, events, err)
	}
}
