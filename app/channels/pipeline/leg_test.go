package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// beacons is a channel. Its messages fall over to lamps, unless they failed with
// code 9.
var beacons = &Channel{
	Name: "rcs", Life: time.Hour,
	Follows:   map[string][]string{"sent": {Accepted}, "delivered": {Accepted, "sent"}, Failed: {Accepted, "sent"}},
	Expired:   func(models.Message) (string, Failure) { return Failed, Failure{Code: 1, Title: "Expired"} },
	FallsOver: func(_ models.Message, s Step) bool { return s.Failure == nil || s.Failure.Code != 9 },
	Callbacks: func(_ context.Context, _ pgx.Tx, changes []Change) (events []relay.Event, err error) {
		for _, c := range changes {
			kind := fmt.Sprint(c.Current().Channel, c.Leg, ".", c.Step.State, ".", c.Step.Part)
			if c.Next != nil {
				kind += "." + c.Next.Channel
			}
			events = append(events, relay.Event{WebhookID: c.WebhookID, Kind: kind, MessageID: &c.ID, Body: 1})
		}
		return events, nil
	},
}

// addLegs stores a message to a beacon with a lamp of parts behind it.
func (r *reporter) addLegs(t *testing.T, parts int) uuid.UUID {
	t.Helper()
	_, err := r.pool.Exec(t.Context(), `
		insert into webhooks (organisation_id, channel, subject, url, headers) values ($1, 'rcs', 'bot', 'https://hooks.example.com/', '') on conflict do nothing`, r.organisation)
	if err != nil {
		t.Fatal(err)
	}
	m := newMessage(r.organisation)
	m.Channel, m.Sender = "rcs", "bot"
	m.Legs = []models.Leg{{Channel: "sms", Sender: "HELIOG", Kind: "text", Payload: []byte(`{"text":"lamp"}`), Parts: parts, TTL: 600}}
	if _, err := NewAcceptor(r.pool, nil).Accept(t.Context(), Group{Messages: []models.Message{m}}); err != nil {
		t.Fatal(err)
	}
	return m.ID
}

// tell reports steps, each in a transaction of its own.
func (r *reporter) tell(t *testing.T, steps ...Step) {
	t.Helper()
	for _, step := range steps {
		err := db.InTx(t.Context(), r.pool, func(tx pgx.Tx) error {
			step.At = time.Now()
			_, err := NewChannels(lamps, beacons).Report(t.Context(), tx, r.jobs, step)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// state returns the leg and the state of a message, its callbacks, and the legs
// that its jobs carry.
func (r *reporter) state(t *testing.T, id uuid.UUID) string {
	t.Helper()
	var state string
	err := r.pool.QueryRow(t.Context(), `
		select concat_ws(' | ', leg || ' ' || state,
			(select string_agg(event, ' ' order by id) from deliveries where message_id = $1),
			(select string_agg(coalesce(args->>'leg', '1'), ' ' order by id) from river.river_job where args->>'message_id' = $1::text))
		from messages where id = $1`, id).Scan(&state)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// A message that fails goes on with its next leg under the same id. Both legs are
// reported, and late reports of the first one change nothing.
func TestNextLegCarriesAFailedMessage(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	failed := func(code int) Step { return Step{State: Failed, Failure: &Failure{Code: code, Title: "Failed"}} }
	for name, tt := range map[string]struct {
		steps []Step
		want  string
	}{
		"delivered by the first": {[]Step{{State: "sent"}, {State: "delivered"}}, "1 delivered | rcs1.sent.0 rcs1.delivered.0 | 1"},
		"delivered by the next": {
			[]Step{{State: "sent"}, failed(1), {Leg: 2, State: "sent"}, {State: "delivered"}, {State: "sent"}, failed(1), {Leg: 2, State: "delivered"}, {Leg: 2, State: "expired"}},
			"2 delivered | rcs1.sent.0 rcs1.failed.0.sms sms2.sent.0 sms2.delivered.0 | 1 2",
		},
		"failed by both":            {[]Step{failed(1), {Leg: 2, State: "undelivered", Failure: &Failure{Code: 7}}}, "2 undelivered | rcs1.failed.0.sms sms2.undelivered.0 | 1 2"},
		"a failure that stays":      {[]Step{failed(9), {Leg: 2, State: "delivered"}}, "1 failed | rcs1.failed.0 | 1"},
		"the end":                   {[]Step{{State: Failed, Final: true, Failure: &Failure{Code: 1}}}, "1 failed | rcs1.failed.0 | 1"},
		"a leg that has not begun":  {[]Step{{Leg: 2, State: "sent"}, {Leg: 2, State: "undelivered"}}, "1 accepted | 1"},
		"a state of the other kind": {[]Step{failed(1), {Leg: 2, State: Failed}}, "2 accepted | rcs1.failed.0.sms | 1 2"},
	} {
		id := r.addLegs(t, 1)
		for i := range tt.steps {
			tt.steps[i].MessageID = id
		}
		if r.tell(t, tt.steps...); r.state(t, id) != tt.want {
			t.Errorf("%s: %s, want %s", name, r.state(t, id), tt.want)
		}
	}
	var history string
	err := r.pool.QueryRow(t.Context(), `select string_agg(leg || state || (failure->>'code'), ' ') from leg_events where failure is not null`).Scan(&history)
	if err != nil || history != "2undelivered7" {
		t.Errorf("the history of the second legs is %q, %v", history, err)
	}
}

// The channel of a further leg makes its parts.
func TestPartsOfANextLegMoveTheMessage(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	id := r.addLegs(t, 2)
	r.tell(t, Step{MessageID: id, State: Failed})
	for part := range 2 {
		_, err := r.pool.Exec(t.Context(), `
			insert into carriages (message_id, leg, part, channel, carrier, state) values ($1, 2, $2, 'sms', 'kannel', 'dialling')`, id, part+1)
		if err != nil {
			t.Fatal(err)
		}
	}
	r.tell(t, Step{MessageID: id, Leg: 2, Part: 1, State: "delivered"}, Step{MessageID: id, Part: 1, State: "delivered"}, Step{MessageID: id, Leg: 2, Part: 2, State: "delivered"})
	if got, want := r.state(t, id), "2 delivered | rcs1.failed.0.sms sms2.delivered.1 sms2.delivered.2 sms2.delivered.0 | 1 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Reports of the same failure at the same time, and transactions that are killed
// after they have put the message on its next leg, make one job for that leg.
func TestNextLegIsCarriedOnce(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	errKilled := errors.New("killed")
	for round := range 20 {
		id := r.addLegs(t, 1)
		step := Step{MessageID: id, State: Failed, At: time.Now(), Failure: &Failure{Code: 1}}
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				err := db.InTx(context.WithoutCancel(t.Context()), r.pool, func(tx pgx.Tx) error {
					if _, err := NewChannels(lamps, beacons).Report(t.Context(), tx, r.jobs, step); err != nil {
						return err
					}
					if n < 4 {
						return errKilled
					}
					return nil
				})
				if err != nil && !errors.Is(err, errKilled) {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		wg.Wait()
		if got, want := r.state(t, id), "2 accepted | rcs1.failed.0.sms | 1 2"; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}

// A leg gets another job when its own is lost, and ends when its life is over.
// Its life begins with the leg.
func TestNextLegIsSettled(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	lamp := *lamps
	lamp.Life, lamp.Expired = time.Hour, func(models.Message) (string, Failure) { return "expired", Failure{Code: 3, Title: "Expired"} }
	channels := NewChannels(&lamp, beacons)
	id := r.addLegs(t, 1)
	settle := func(later time.Duration) {
		t.Helper()
		if _, err := r.pool.Exec(t.Context(), `update river.river_job set state = 'cancelled', finalized_at = now()`); err != nil {
			t.Fatal(err)
		}
		if _, err := channels.Settle(t.Context(), r.pool, r.jobs, time.Now().Add(later)); err != nil {
			t.Fatal(err)
		}
	}
	settle(50 * time.Minute) // the mark passes the message
	r.tell(t, Step{MessageID: id, State: Failed})
	if settle(9 * time.Minute); r.state(t, id) != "2 accepted | rcs1.failed.0.sms | 1 1 2 2" {
		t.Errorf("a lost leg: %s, want a second job for it", r.state(t, id))
	}
	if settle(11 * time.Minute); r.state(t, id) != "2 expired | rcs1.failed.0.sms sms2.expired.0 | 1 1 2 2" {
		t.Errorf("a leg whose 10 minutes are over: %s, want it expired", r.state(t, id))
	}
	// The life of the first leg is over before it was carried.
	id = r.addLegs(t, 1)
	if settle(2 * time.Hour); r.state(t, id) != "2 accepted | rcs1.failed.0.sms | 1 2" {
		t.Errorf("a first leg whose hour is over: %s, want the next leg", r.state(t, id))
	}
}

// Legs that could not be told apart are not accepted.
func TestLegsOfOneChannelAreRefused(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	for want, legs := range map[string][]models.Leg{
		"two legs": {{Channel: "sms"}}, "3": {{Channel: "rcs"}, {Channel: "messaging"}, {Channel: "sms"}}, "two": {{Channel: "rcs"}, {Channel: "rcs"}},
	} {
		m := newMessage(r.organisation)
		m.Channel, m.Legs = "sms", legs
		_, err := NewAcceptor(r.pool, nil).Accept(t.Context(), Group{Messages: []models.Message{m}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", legs, err, want)
		}
	}
}

// What a carrier took and gave up is handed over again, and reported as sent once.
func TestLegTakenBackIsReportedOnce(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	id := r.addLegs(t, 1)
	r.tell(t, Step{MessageID: id, State: Failed})
	part := models.Carriage{MessageID: id, Leg: 2, Part: 1, Channel: "sms", Carrier: "kannel"}
	started, err := writes.CarriageStart(t.Context(), r.pool, part)
	if err != nil || len(started) != 1 {
		t.Fatal(started, err)
	}
	r.tell(t, Step{MessageID: id, Leg: 2, Part: 1, State: "sent"})
	part.Attempts = started[0].Attempts
	if state, err := writes.CarriageTakeBack(t.Context(), r.pool, part); state != "sent" || err != nil {
		t.Fatalf("the part that was taken back is %q, %v", state, err)
	}
	if got, want := r.state(t, id), "2 accepted | rcs1.failed.0.sms sms2.sent.0 | 1 2"; got != want {
		t.Errorf("taken back: %s, want %s", got, want)
	}
	if _, err := writes.CarriageStart(t.Context(), r.pool, part); err != nil {
		t.Fatal(err)
	}
	r.tell(t, Step{MessageID: id, Leg: 2, Part: 1, State: "sent"}, Step{MessageID: id, Leg: 2, Part: 1, State: "delivered"})
	if got, want := r.state(t, id), "2 delivered | rcs1.failed.0.sms sms2.sent.0 sms2.delivered.0 | 1 2"; got != want {
		t.Errorf("handed over again: %s, want %s", got, want)
	}
}

// A part that is all of its leg has its state and its id in the row of the message. When
// the next leg begins, the carriage takes them over, and later reports find it by the id.
func TestCarriageTakesOverWhatTheMessageKnewOfALeg(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	id := r.addLegs(t, 1)
	if _, err := r.pool.Exec(t.Context(), `insert into carriages (message_id, leg, part, channel, carrier, state) values ($1, 1, 1, 'rcs', 'upstream', 'dialling')`, id); err != nil {
		t.Fatal(err)
	}
	known := func() (text string) {
		err := r.pool.QueryRow(t.Context(), `
			select concat_ws(' ', c.state, c.provider_id, '|', m.leg, m.state, m.provider_id, '|', i.provider_id, i.leg)
			from messages m join carriages c on c.message_id = m.id and c.leg = 1 left join carrier_ids i on i.carrier = 'upstream' and i.message_id = m.id
			where m.id = $1`, id).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(text), " ")
	}
	r.tell(t, Step{MessageID: id, Part: 1, Alone: true, State: "sent", ProviderID: "u-1", Carrier: "upstream"})
	if got, want := known(), "dialling | 1 sent u-1 | u-1 1"; got != want {
		t.Errorf("sent: %s, want %s", got, want)
	}
	r.tell(t, Step{MessageID: id, Part: 1, Alone: true, State: Failed, ProviderID: "u-1", Carrier: "upstream", Failure: &Failure{Code: 1}})
	if got, want := known(), "failed u-1 | 2 accepted | u-1 1"; got != want {
		t.Errorf("failed: %s, want %s", got, want)
	}
}
