package relay_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

	"heliograph/app/channels"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs"
	"heliograph/jobs/args"
)

type allowAll struct{}

func (allowAll) CheckWebhook(context.Context, string, map[string]string) error { return nil }

func (allowAll) Challenge(context.Context, string, string, map[string]string, string) error {
	return nil
}

// courier is a relay worker by itself, with one delivery and its endpoint.
type courier struct {
	*relay.Relayer
	pool  *pgxpool.Pool
	keys  *keyring.Keyring
	jobs  args.Inserter
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
	stored, err := writes.DeliveryInsertMany(t.Context(), c.pool, []writes.NewDelivery{{WebhookID: set.ID, Event: "message.sent", Body: []byte("{}")}})
	if err != nil {
		t.Fatal(err)
	}
	c.id = stored[0].ID
	c.keys = keys
	if c.jobs, err = jobs.New(jobs.Deps{Pool: c.pool, Keyring: keys}, nil, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	c.postWith(outbound.New(outbound.Options{AllowLoopback: true}))
	return c
}

// postWith lets the worker post with a client.
func (c *courier) postWith(client *outbound.Client) {
	c.Relayer = relay.NewRelayer(relay.RelayerOptions{Pool: c.pool, Keyring: c.keys, Protocol: channels.Declared().Protocol, Poster: jobs.Poster{Client: client}, Schedule: relay.Standard})
}

// work runs the job of the delivery and returns how long it is put off.
func (c *courier) work(t *testing.T) time.Duration {
	t.Helper()
	row := &rivertype.JobRow{Kind: "relay_callback", EncodedArgs: fmt.Appendf(nil, `{"delivery_id": %d}`, c.id)}
	err := c.pool.QueryRow(t.Context(), `
		insert into river.river_job (args, kind, queue, max_attempts, state, attempt, attempted_at) values ($1, $2, 'relay', 25, 'running', 1, now()) returning id`,
		row.EncodedArgs, row.Kind).Scan(&row.ID)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Relay(t.Context(), args.Run{JobID: row.ID, Attempt: 1, Inserter: c.jobs}, args.RelayCallback{DeliveryID: c.id})
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
		waits        bool
	}{
		{"pending", `select`, 1, "delivered", false},
		{"delivered before", `update deliveries set state = 'delivered'`, 0, "delivered", false},
		{"given up before", `update deliveries set state = 'failed'`, 0, "failed", false},
		{"webhook disabled", `update webhooks set disabled_at = now(), disabled_reason = 'x'`, 0, "failed", false},
		{"webhook removed", `update webhooks set url = ''`, 0, "failed", false},
		{"circuit open", `update webhooks set failures = 5, failing_since = now(), open_until = now() + interval '40 seconds'`, 0, "pending", true},
		{"circuit open, another probe under way", `update webhooks set failures = 5, failing_since = now(), open_until = now() + interval '14 seconds'`, 0, "pending", true},
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
			if waits := c.waits(t); wait > 0 || waits != tt.waits {
				t.Errorf("put off by %s, in line %v; want %v", wait, waits, tt.waits)
			}
		})
	}
}

// waits reports whether the callback is in the line of its webhook, and one job
// moves that on.
func (c *courier) waits(t *testing.T) (waits bool) {
	t.Helper()
	err := c.pool.QueryRow(t.Context(), `
		select exists (select from deliveries where id = $1 and state = 'pending' and next_attempt_at is null)
		   and (select count(*) = 1 from river.river_job where kind = 'release_callbacks')
		   and (select count(*) = 0 from river.river_job where kind = 'relay_callback' and state <> 'completed')`, c.id).Scan(&waits)
	if err != nil {
		t.Fatal(err)
	}
	return waits
}

// With every place of its webhook taken, a callback waits in line if the webhook
// fails, and comes back soon if it works.
func TestCallbackWithoutAPlaceWaits(t *testing.T) {
	t.Parallel()
	for _, failing := range []bool{true, false} {
		c := newCourier(t)
		if failing {
			c.exec(t, `update webhooks set failures = 4, failing_since = now(), recent_attempts = 100, recent_failures = 100, counted_at = now()`)
		}
		found, err := queries.DeliveryListRelayed(t.Context(), c.pool, []int64{c.id})
		if err != nil {
			t.Fatal(err)
		}
		for range map[bool]int{true: relay.SlotsFailing, false: relay.SlotsHealthy}[failing] {
			if _, ok := c.Take(t.Context(), found[0].Webhook); !ok {
				t.Fatal("no place")
			}
		}
		wait := c.work(t)
		if c.waits(t) != failing || (wait >= time.Second && wait <= 5*time.Second) == failing || c.calls.Load() != 0 || c.state(t) != "pending" {
			t.Errorf("failing %v: put off by %s, in line %v, after %d posts, delivery %s", failing, wait, c.waits(t), c.calls.Load(), c.state(t))
		}
	}
}

func (c *courier) exec(t *testing.T, sql string, values ...any) {
	t.Helper()
	if _, err := c.pool.Exec(t.Context(), sql, values...); err != nil {
		t.Fatal(err)
	}
}

// Statuses of one message are posted in order while the endpoint works. A status
// waits half a minute at most, and not at all once the earlier one failed an
// attempt or the endpoint fails.
func TestCallbacksOfAMessageAreOrdered(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, change string
		posted       int64
	}{
		{"earlier one waits", `select`, 0},
		{"earlier one is delivered", `update deliveries set state = 'delivered' where event = 'message.sent'`, 1},
		{"earlier one failed once", `update deliveries set attempts = 1 where event = 'message.sent'`, 1},
		{"endpoint fails", `update webhooks set recent_attempts = 4, recent_failures = 1, counted_at = now()`, 1},
		{"half a minute ago", `update deliveries set created_at = now() - interval '31 seconds'`, 1},
		{"of another message", `update deliveries set message_id = gen_random_uuid() where event = 'message.sent'`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCourier(t)
			c.exec(t, `update deliveries set message_id = gen_random_uuid()`)
			err := c.pool.QueryRow(t.Context(), `
				insert into deliveries (webhook_id, organisation_id, message_id, event, body, next_attempt_at)
				select webhook_id, organisation_id, message_id, 'message.delivered', '{}', now() from deliveries returning id`).Scan(&c.id)
			if err != nil {
				t.Fatal(err)
			}
			c.exec(t, tt.change)
			if wait := c.work(t); c.calls.Load() != tt.posted || (wait > 0) == (tt.posted == 1) {
				t.Errorf("posted %d times, put off by %s; want %d posts", c.calls.Load(), wait, tt.posted)
			}
		})
	}
}

// A channel with a schedule of its own retries by it, the others by the one that is
// configured.
func TestCallbacksFollowTheScheduleOfTheirChannel(t *testing.T) {
	t.Parallel()
	for channel, pause := range map[string]time.Duration{"messaging": relay.Standard.Pauses[1], "sms": relay.Day.Pauses[1]} {
		c := newCourier(t)
		c.exec(t, `update webhooks set url = 'http://127.0.0.1:1'`)
		endpoints := relay.NewEndpoints(relay.Options{DB: c.pool, Keyring: c.keys, Guard: allowAll{}})
		err := db.InTx(t.Context(), c.pool, func(tx pgx.Tx) error {
			return endpoints.Set(t.Context(), tx, relay.Endpoint{OrganisationID: 1, Channel: "sms", Subject: "1", URL: "http://127.0.0.1:1", Secret: keyring.NewWebhookSecret()})
		})
		if err != nil {
			t.Fatal(err)
		}
		c.exec(t, `update deliveries set attempts = 1, webhook_id = (select id from webhooks where channel = $1)`, channel)
		c.work(t)
		var wait float64
		err = c.pool.QueryRow(t.Context(), `select extract(epoch from next_attempt_at - now()) from deliveries where id = $1`, c.id).Scan(&wait)
		if got := time.Duration(wait * float64(time.Second)); err != nil || got < pause*7/10 || got > pause*13/10 {
			t.Errorf("%s: the next attempt is in %s, want about %s: %v", channel, got, pause, err)
		}
	}
}
