package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/keyring"
	"heliograph/app/messaging"
	"heliograph/app/outbound"
	"heliograph/app/relay"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

type allowAll struct{}

func (allowAll) CheckWebhook(context.Context, string, map[string]string) error { return nil }

func (allowAll) Challenge(context.Context, string, string, map[string]string, string) error {
	return nil
}

// courier is a relay worker by itself, with one delivery and its endpoint.
type courier struct {
	*relayCallback
	pool  *pgxpool.Pool
	id    int64
	calls atomic.Int64
}

func newCourier(t *testing.T) *courier {
	t.Helper()
	c := &courier{pool: dbtest.Pool(t)}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { c.calls.Add(1) }))
	t.Cleanup(server.Close)
	number := models.PhoneNumber{}
	err = db.InTx(t.Context(), c.pool, func(tx pgx.Tx) error {
		if err := tx.QueryRow(t.Context(), `insert into organisations (name, status) values ('Sandbox', 'active') returning id`).Scan(&number.OrganisationID); err != nil {
			return err
		}
		sandbox, err := messaging.Provision(t.Context(), tx, keys, number.OrganisationID, "Sandbox")
		number.ID = sandbox.PhoneNumberID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	webhooks := messaging.NewWebhooks(messaging.WebhookOptions{DB: c.pool, Keyring: keys, Guard: allowAll{}})
	if err := webhooks.SetWebhook(t.Context(), number, messaging.Webhook{URL: server.URL}, "test"); err != nil {
		t.Fatal(err)
	}
	set, err := queries.WebhookGet(t.Context(), c.pool, "messaging", fmt.Sprint(number.ID))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := queries.DeliveryInsertMany(t.Context(), c.pool, []queries.NewDelivery{{WebhookID: set.ID, Event: "message.sent", Body: []byte("{}")}})
	if err != nil {
		t.Fatal(err)
	}
	c.id = stored[0].ID
	deps := Deps{Pool: c.pool, Keyring: keys, Poster: outbound.New(outbound.Options{AllowLoopback: true}), Schedule: relay.Standard}
	c.relayCallback = &relayCallback{deps: deps, slots: newSlots(), delivered: newDelivered(Deps{Pool: c.pool})}
	return c
}

// work runs the job of the delivery and returns how long it is put off.
func (c *courier) work(t *testing.T) time.Duration {
	t.Helper()
	err := c.Work(t.Context(), &river.Job[args.RelayCallback]{JobRow: &rivertype.JobRow{ID: 1}, Args: args.RelayCallback{DeliveryID: c.id}})
	var snooze *river.JobSnoozeError
	if errors.As(err, &snooze) {
		return snooze.Duration
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

func (c *courier) state(t *testing.T) (state string) {
	t.Helper()
	if err := c.pool.QueryRow(t.Context(), `select state from deliveries where id = $1`, c.id).Scan(&state); err != nil {
		t.Fatal(err)
	}
	return state
}

// What the worker finds in the database decides whether it posts at all: a job
// that ran before, a webhook that was disabled or removed, a circuit that is open.
func TestCallbackIsPostedOnlyWhereItIsWanted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, change string
		posted       int64
		state        string
		snoozed      bool
	}{
		{"pending", `select`, 1, "delivered", false},
		{"delivered before", `update deliveries set state = 'delivered'`, 0, "delivered", false},
		{"given up before", `update deliveries set state = 'failed'`, 0, "failed", false},
		{"webhook disabled", `update webhooks set disabled_at = now(), disabled_reason = 'x'`, 0, "failed", false},
		{"webhook removed", `update webhooks set url = ''`, 0, "failed", false},
		{"circuit open", `update webhooks set failures = 5, failing_since = now(), open_until = now() + interval '40 seconds'`, 0, "pending", true},
		{"circuit half open", `update webhooks set failures = 5, failing_since = now(), open_until = now() - interval '1 second'`, 1, "delivered", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCourier(t)
			if _, err := c.pool.Exec(t.Context(), tt.change); err != nil {
				t.Fatal(err)
			}
			wait := c.work(t)
			if got := c.calls.Load(); got != tt.posted {
				t.Errorf("posted %d times, want %d", got, tt.posted)
			}
			if got := c.state(t); got != tt.state {
				t.Errorf("the delivery is %s, want %s", got, tt.state)
			}
			if (wait > 0) != tt.snoozed || wait > 50*time.Second || tt.snoozed && wait < 35*time.Second {
				t.Errorf("put off by %s, want %v, until the circuit closes and up to 10 s more", wait, tt.snoozed)
			}
		})
	}
}

// With every place of its webhook taken a callback comes back soon.
func TestCallbackWithoutAPlaceComesBack(t *testing.T) {
	t.Parallel()
	c := newCourier(t)
	if _, err := c.pool.Exec(t.Context(), `update webhooks set failures = 4, failing_since = now()`); err != nil {
		t.Fatal(err)
	}
	d, err := queries.DeliveryGet(t.Context(), c.pool, c.id)
	if err != nil {
		t.Fatal(err)
	}
	for range slotsFailing {
		if _, ok := c.slots.take(t.Context(), d.Webhook); !ok {
			t.Fatal("no place")
		}
	}
	if wait := c.work(t); wait < time.Second || wait > 5*time.Second || c.calls.Load() != 0 || c.state(t) != "pending" {
		t.Errorf("put off by %s after %d posts, delivery %s; want 1 to 5 s, none, pending", wait, c.calls.Load(), c.state(t))
	}
}
