package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/jobs"
)

// oneWay is a carrier that refuses the messages of one channel and counts how
// often it gets each message of the others.
type oneWay struct {
	*outbound.Virtual
	mu    sync.Mutex
	calls map[string]int
}

func (o *oneWay) Send(ctx context.Context, m outbound.Message) (outbound.Receipt, error) {
	if m.Channel == "messaging" {
		return outbound.Receipt{}, &outbound.CarrierError{Code: 131026, Title: "Message undeliverable"}
	}
	o.mu.Lock()
	o.calls[m.Sender+" "+m.Recipient]++
	o.mu.Unlock()
	return o.Virtual.Send(ctx, m)
}

// addLegs accepts n messages with an SMS as second leg.
func (b *bundle) addLegs(t *testing.T, n int) {
	t.Helper()
	group := pipeline.Group{}
	for i := range n {
		group.Messages = append(group.Messages, models.Message{
			ID: uuid.Must(uuid.NewV7()), OrganisationID: b.number.OrganisationID, Channel: "messaging", Sender: strconv.FormatInt(b.number.ID, 10),
			Recipient: fmt.Sprint(919812345000 + i), Kind: "text", Payload: []byte(`{}`), CreatedAt: time.Now(),
			Legs: []models.Leg{{Channel: "sms", Sender: "HELIOG", Kind: "text", Payload: []byte(`{"encoding":"GSM7","text":"Hello"}`)}},
		})
	}
	if _, err := pipeline.NewAcceptor(b.pool, nil).Accept(t.Context(), group); err != nil {
		t.Fatal(err)
	}
}

// Messages that the first channel refuses are carried by the second one, each
// once, although the worker is stopped again and again in the middle of its work.
func TestEachLegIsCarriedOnceThoughWorkersEnd(t *testing.T) {
	t.Parallel()
	carrier := &oneWay{Virtual: outbound.NewVirtual(nil), calls: map[string]int{}}
	b := prepare(t, func(d *jobs.Deps) { d.Carrier = carrier })
	const messages = 300
	b.addLegs(t, messages)
	left := func() (n int) {
		if err := b.pool.QueryRow(t.Context(), `select count(*) from messages where not (leg = 2 and state in ('sent', 'delivered', 'undelivered', 'rejected', 'unknown'))`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	stops := 0
	for ; left() > 0; stops++ {
		client, err := jobs.New(b.deps, jobs.Queues(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		for before := left(); left() == before && before > 0; {
			time.Sleep(time.Millisecond) // until it is in the middle of its work
		}
		if err := client.StopAndCancel(context.Background()); err != nil {
			t.Fatal(err)
		}
		if stops > 100 {
			t.Fatalf("%d messages are left after %d workers", left(), stops)
		}
		if _, err := b.pool.Exec(t.Context(), `update river.river_job set state = 'available', scheduled_at = now() where state in ('running', 'retryable', 'scheduled')`); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d workers were stopped", stops)
	var twice, failures int
	err := b.pool.QueryRow(t.Context(), `
		select (select count(*) from (select args->>'message_id' from river.river_job where kind = 'carry_message' and args->>'leg' = '2' group by 1 having count(*) > 1) x),
		       (select count(*) from message_events where state = 'failed' and failure->>'code' = '131026')`).Scan(&twice, &failures)
	if err != nil || twice != 0 || failures != messages || len(carrier.calls) != messages {
		t.Errorf("%d legs have two jobs, %d first legs failed, %d messages were handed over as SMS, %v; want none, %d, %d", twice, failures, len(carrier.calls), err, messages, messages)
	}
}
