package carry

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db/dbtest"
)

// counting is a carrier that counts what it takes, and whether its hand-over is recorded.
type counting struct {
	pool       *pgxpool.Pool
	mu         sync.Mutex
	took       map[string]int
	unrecorded atomic.Int32
	atOnce     atomic.Int32
	most       atomic.Int32
}

func (c *counting) Traits() outbound.Traits {
	return outbound.Traits{Name: "upstream", Patience: time.Hour, Parks: true}
}

func (c *counting) Send(ctx context.Context, m outbound.Message) (outbound.Receipt, error) {
	if n := c.atOnce.Add(1); n > c.most.Load() {
		c.most.Store(n)
	}
	defer c.atOnce.Add(-1)
	var recorded bool
	err := c.pool.QueryRow(ctx, `
		select exists (select from carriages c join messages m on m.id = c.message_id where m.recipient = $1 and c.state = 'dialling')`, m.Recipient).Scan(&recorded)
	if err != nil || !recorded {
		c.unrecorded.Add(1)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.took[m.Recipient]++
	return outbound.Receipt{ProviderID: "p-" + m.Recipient, State: outbound.Sent}, nil
}

// newBatch returns a batch of so many messages to people with a name.
func newBatch(t *testing.T, e *Engine, carrier *counting, name string, n int) *batch {
	t.Helper()
	c := &batch{engine: e, results: make(chan carried, n), expected: true}
	e.records.started.Expect(1)
	for i := range n {
		h := newHandover(t, carrier.pool, nil, "lamp")
		h.message.Recipient = name + string(rune('a'+i))
		if _, err := carrier.pool.Exec(t.Context(), `update messages set recipient = $2 where id = $1`, h.message.ID, h.message.Recipient); err != nil {
			t.Fatal(err)
		}
		if !c.join(t.Context(), h) {
			t.Fatal("a message of one part did not join")
		}
	}
	return c
}

func newBatchEngine(t *testing.T) (*Engine, *counting) {
	t.Helper()
	carrier := &counting{pool: dbtest.Pool(t), took: map[string]int{}}
	e := New(Options{Pool: carrier.pool, Carrier: carrier, Channels: pipeline.NewChannels(words)})
	e.slots = make(chan struct{}, 4)
	return e, carrier
}

// Batches that need more slots than there are take turns. Each message is recorded before
// it is dialled, once, and one that another worker has recorded is left to it.
func TestBatchesAreRecordedBeforeTheyAreDialled(t *testing.T) {
	t.Parallel()
	e, carrier := newBatchEngine(t)
	var batches []*batch
	for _, name := range []string{"x", "y", "z"} {
		batches = append(batches, newBatch(t, e, carrier, name, 3))
	}
	known := batches[1].joined[1].message.ID
	_, err := carrier.pool.Exec(t.Context(), `insert into carriages (message_id, leg, part, channel, carrier, state) values ($1, 1, 1, 'sms', 'upstream', 'dialling')`, known)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range batches {
		c.start(t.Context())
	}
	for _, c := range batches {
		c.wg.Wait()
		for range 3 {
			one := <-c.results
			var unknown *unknownError
			switch waits := errors.As(one.err, &unknown); {
			case one.message.ID == known && (!waits || len(one.steps) > 0):
				t.Errorf("the message of another worker ended with %v and %d steps", one.err, len(one.steps))
			case one.message.ID != known && (one.err != nil || len(one.steps) != 1 || one.steps[0].Carrier != "upstream" || !one.steps[0].Alone):
				t.Errorf("a message ended with %v and %+v", one.err, one.steps)
			}
		}
	}
	for _, took := range carrier.took {
		if took != 1 {
			t.Errorf("taken %v, want each once", carrier.took)
		}
	}
	if len(carrier.took) != 8 || carrier.unrecorded.Load() > 0 || carrier.most.Load() > 4 || len(e.slots) > 0 {
		t.Errorf("%d messages were taken, %d of them unrecorded, %d at once, and %d slots are left behind; want 8, none, 4 at most and none",
			len(carrier.took), carrier.unrecorded.Load(), carrier.most.Load(), len(e.slots))
	}
}

// A worker that is being stopped dials nothing any more, and leaves no hand-over that
// looks as if it had been dialled.
func TestBatchOfAStoppedWorkerIsNotDialled(t *testing.T) {
	t.Parallel()
	e, carrier := newBatchEngine(t)
	c := newBatch(t, e, carrier, "x", 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c.start(ctx)
	c.wg.Wait()
	for range 3 {
		if one := <-c.results; !errors.Is(one.err, context.Canceled) {
			t.Errorf("a message ended with %v", one.err)
		}
	}
	var dialling int
	if err := carrier.pool.QueryRow(t.Context(), `select count(*) from carriages where state = 'dialling'`).Scan(&dialling); err != nil || dialling > 0 {
		t.Errorf("%d messages look as if they were dialled, %v", dialling, err)
	}
	if len(carrier.took) > 0 || len(e.slots) > 0 {
		t.Errorf("%v were taken and %d slots are left behind", carrier.took, len(e.slots))
	}
}
