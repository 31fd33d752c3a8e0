package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/channels"
	"heliograph/app/channels/carry"
	"heliograph/app/outbound"
	"heliograph/db/dbtest"
	"heliograph/jobs/args"
)

// counting is a carrier that counts what it is given.
type counting struct {
	*outbound.Virtual
	sends atomic.Int64
}

func (c *counting) Send(context.Context, outbound.Message) (outbound.Receipt, error) {
	c.sends.Add(1)
	return outbound.Receipt{State: outbound.Sent}, nil
}

// A job that runs again after its message has moved hands nothing over: the
// recipient would get the message twice.
func TestOnlyAcceptedMessagesAreCarried(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	carrier := &counting{Virtual: outbound.NewVirtual(nil)}
	carrying := ruled(carry.New(carry.Options{Pool: pool, Carrier: carrier, Channels: channels.Declared(), Log: slog.New(slog.DiscardHandler)}).Carry)
	work := func(id uuid.UUID) error {
		return carrying(t.Context(), &river.Job[args.CarryMessage]{JobRow: &rivertype.JobRow{ID: 1}, Args: args.CarryMessage{MessageID: id}})
	}
	if _, err := pool.Exec(t.Context(), `insert into organisations (name, status) values ('Sandbox', 'active')`); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"sent", "delivered", "read", "failed"} {
		id := uuid.New()
		_, err := pool.Exec(t.Context(), `
			insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state, ttl_seconds)
			select $1, id, 'messaging', 1, '919812345678', 'text', '{}', $2, 3600 from organisations`, id, state)
		if err != nil {
			t.Fatal(err)
		}
		if err := work(id); err != nil || carrier.sends.Load() != 0 {
			t.Errorf("%s: %v, handed over %d times; want the job done and nothing sent", state, err, carrier.sends.Load())
		}
	}
	var cancel *river.JobCancelError
	if err := work(uuid.New()); !errors.As(err, &cancel) || carrier.sends.Load() != 0 {
		t.Errorf("a message that is gone: %v, want the job cancelled", err)
	}
	// With no client in its context a job fails rather than moves a message alone.
	id := uuid.New()
	_, err := pool.Exec(t.Context(), `
		insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state, ttl_seconds)
		select $1, id, 'messaging', 1, '919812345678', 'text', '{}', 'accepted', 3600 from organisations`, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := work(id); err == nil || carrier.sends.Load() != 1 {
		t.Errorf("an accepted message: %v after %d hand-overs, want one and an error for the missing client", err, carrier.sends.Load())
	}
}

func TestReplyToAMessageThatIsGoneIsCancelled(t *testing.T) {
	t.Parallel()
	reporting := ruled(carry.New(carry.Options{Pool: dbtest.Pool(t), Channels: channels.Declared()}).Report)
	err := reporting(t.Context(), &river.Job[args.ReportMessage]{
		JobRow: &rivertype.JobRow{ID: 1}, Args: args.ReportMessage{MessageID: uuid.New(), State: string(outbound.Replied)},
	})
	var cancel *river.JobCancelError
	if !errors.As(err, &cancel) {
		t.Errorf("err = %v, want the job cancelled", err)
	}
}
