package carry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// scripted is a carrier that answers as a test tells it.
type scripted struct {
	traits outbound.Traits
	answer func(m outbound.Message) error
	sent   []string
}

func (s *scripted) Traits() outbound.Traits { return s.traits }

func (s *scripted) Send(_ context.Context, m outbound.Message) (outbound.Receipt, error) {
	s.sent = append(s.sent, fmt.Sprintf("%d/%d %s", m.Part, m.Parts, m.Payload))
	if s.answer != nil {
		if err := s.answer(m); err != nil {
			return outbound.Receipt{}, err
		}
	}
	return outbound.Receipt{ProviderID: "p-" + m.ID, State: outbound.Sent}, nil
}

// asked is a scripted carrier that can be asked.
type asked struct {
	*scripted
	found bool
	err   error
}

func (a *asked) Ask(_ context.Context, m outbound.Message) (outbound.Receipt, bool, error) {
	return outbound.Receipt{ProviderID: "asked-" + m.ID, State: outbound.Sent}, a.found, a.err
}

// words is a channel with the words of a message as its parts.
var words = &pipeline.Channel{
	Name: "sms", Life: time.Hour, MessageID: func(uuid.UUID) string { return "m" },
	Parts: func(m models.Message) (parts []pipeline.Part, err error) {
		for i, word := range strings.Fields(strings.Trim(string(m.Payload), `"`)) {
			parts = append(parts, pipeline.Part{Number: i + 1, Payload: []byte(word)})
		}
		return parts, nil
	},
}

func newHandover(t *testing.T, pool *pgxpool.Pool, carrier outbound.Carrier, text string) *handover {
	t.Helper()
	m := models.Message{
		ID: uuid.Must(uuid.NewV7()), OrganisationID: 1, Channel: "sms", Sender: "HELIOG", Recipient: "919812345678", Kind: "text",
		Payload: []byte(`"` + text + `"`), Parts: len(strings.Fields(text)), CreatedAt: time.Now(),
	}
	if _, err := pipeline.NewAcceptor(pool, nil).Accept(t.Context(), pipeline.Group{Messages: []models.Message{m}}); err != nil {
		t.Fatal(err)
	}
	return &handover{message: m, channel: words, carrier: carrier, expiry: time.Now().Add(time.Hour), life: time.Hour, attempt: 1}
}

// try hands over what is left and returns the parts that were taken.
func (h *handover) try(t *testing.T, pool *pgxpool.Pool) (taken string, err error) {
	t.Helper()
	h.steps = nil
	err = h.sendParts(t.Context(), newRecords(pool))
	var parts []string
	for _, s := range h.steps {
		parts = append(parts, fmt.Sprint(s.Part, s.State, s.ProviderID))
	}
	return strings.Join(parts, " "), err
}

// A hand-over without a known result is not repeated before the carrier had
// time to report it. The other parts wait behind it.
func TestInterruptedHandOverIsNotRepeatedAtOnce(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	broken := errors.New("connection reset")
	carrier := &scripted{traits: outbound.Traits{Name: "kannel", Patience: time.Hour}}
	carrier.answer = func(m outbound.Message) error {
		if m.Part == 2 {
			return broken
		}
		return nil
	}
	h := newHandover(t, pool, carrier, "lamp wick oil")
	taken, err := h.try(t, pool)
	var unknown *unknownError
	if taken != "1sentp-m" || !errors.As(err, &unknown) || !errors.Is(err, broken) || unknown.wait != time.Hour {
		t.Fatalf("taken %q, %v; want the first part, and an hour for the second", taken, err)
	}
	if wait := h.pause(err); wait < 59*time.Minute {
		t.Errorf("the message waits %v, want the carrier's patience", wait)
	}
	carrier.answer, carrier.sent = nil, nil
	// The first part was reported meanwhile, or its row would be tried again.
	if _, err := pool.Exec(t.Context(), `update carriages set state = 'sent' where part = 1`); err != nil {
		t.Fatal(err)
	}
	if taken, err := h.try(t, pool); taken != "" || !errors.As(err, &unknown) || len(carrier.sent) != 0 {
		t.Errorf("taken %q, %v, sent %q; want nothing before the patience is over", taken, err, carrier.sent)
	}
	if _, err := pool.Exec(t.Context(), `update carriages set updated_at = now() - interval '61 minutes' where part = 2`); err != nil {
		t.Fatal(err)
	}
	if taken, err := h.try(t, pool); taken != "2sentp-m.2 3sentp-m.3" || err != nil || strings.Join(carrier.sent, " ") != "2/3 wick 3/3 oil" {
		t.Errorf("taken %q, %v, sent %q; want the other two parts", taken, err, carrier.sent)
	}
	var attempts int
	if err := pool.QueryRow(t.Context(), `select attempts from carriages where part = 2`).Scan(&attempts); err != nil || attempts != 2 {
		t.Errorf("%d attempts at the second part are recorded, %v; want 2", attempts, err)
	}
}

// A carrier that knows repeated ids gets an interrupted part at once, and one
// that can be asked is asked first.
func TestInterruptedHandOverIsRepeatedOrAsked(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	idempotent := outbound.Traits{Name: "graph", Idempotent: true, Patience: time.Hour}
	waits := outbound.Traits{Name: "kannel", Patience: time.Hour}
	for name, tt := range map[string]struct {
		carrier     outbound.Carrier
		taken, sent string
		fails       bool
	}{
		"idempotent":   {&scripted{traits: idempotent}, "1sentp-m 2sentp-m.2", "1/2 lamp 2/2 wick", false},
		"has it":       {&asked{&scripted{traits: waits}, true, nil}, "1sentasked-m 2sentp-m.2", "2/2 wick", false},
		"lacks it":     {&asked{&scripted{traits: waits}, false, nil}, "1sentp-m 2sentp-m.2", "1/2 lamp 2/2 wick", false},
		"gives no ear": {&asked{&scripted{traits: waits}, false, errors.New("timeout")}, "", "", true},
	} {
		h := newHandover(t, pool, tt.carrier, "lamp wick")
		_, err := pool.Exec(t.Context(), `
			insert into carriages (message_id, leg, part, channel, carrier, state) values ($1, 1, 1, 'sms', 'kannel', 'dialling')`, h.message.ID)
		if err != nil {
			t.Fatal(err)
		}
		script, _ := tt.carrier.(*scripted)
		if a, ok := tt.carrier.(*asked); ok {
			script = a.scripted
		}
		taken, err := h.try(t, pool)
		if taken != tt.taken || (err != nil) != tt.fails || strings.Join(script.sent, " ") != tt.sent {
			t.Errorf("%s: taken %q, %v, sent %q; want %q and %q", name, taken, err, script.sent, tt.taken, tt.sent)
		}
	}
}

// A refusal for now is no interruption: the part is tried again after the pause
// that the carrier asks for. A refusal for good fails the message.
func TestRefusedPartIsTriedAgainOrFailsTheMessage(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	refusal := &outbound.CarrierError{Code: 4, Title: "Queue is full", Temporary: true, Wait: 10 * time.Minute}
	carrier := &scripted{traits: outbound.Traits{Name: "kannel", Patience: time.Hour}, answer: func(outbound.Message) error { return refusal }}
	h := newHandover(t, pool, carrier, "lamp wick")
	if taken, err := h.try(t, pool); taken != "" || !errors.Is(err, refusal) || h.pause(err) != 10*time.Minute {
		t.Errorf("taken %q, %v, waits %v; want the pause of the carrier", taken, err, h.pause(err))
	}
	refusal.Temporary = false
	taken, err := h.try(t, pool)
	if taken != "1failed" || err != nil || len(carrier.sent) != 2 {
		t.Errorf("taken %q, %v, sent %q; want the first part failed and the second not tried", taken, err, carrier.sent)
	}
	if f := h.steps[0].Failure; f == nil || f.Code != 4 || f.Title != "Queue is full" {
		t.Errorf("the failure is %+v", f)
	}
}

// A worker that is being stopped before it calls the carrier leaves the part to the next.
func TestStoppedBeforeTheCallLeavesThePartWaiting(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	sent := 0
	carrier := &scripted{traits: outbound.Traits{Name: "kannel", Patience: time.Hour}, answer: func(outbound.Message) error { sent++; return nil }}
	h := newHandover(t, pool, carrier, "lamp")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := h.sendParts(stopped, newRecords(pool)); !errors.Is(err, context.Canceled) || sent != 0 {
		t.Fatalf("a stopped worker: %v, sent %d times", err, sent)
	}
	if taken, err := h.try(t, pool); err != nil || sent != 1 {
		t.Errorf("the next worker: %q, %v, sent %d times", taken, err, sent)
	}
	var unknown *unknownError
	if taken, err := h.try(t, pool); !errors.As(err, &unknown) || sent != 1 {
		t.Errorf("a worker that does not know of it: %q, %v, sent %d times", taken, err, sent)
	}
}
