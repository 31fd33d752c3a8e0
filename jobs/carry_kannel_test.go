//go:build judge

package jobs_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"heliograph/app/channels"
	"heliograph/app/channels/pipeline"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/app/outbound/kanneltest"
	"heliograph/db"
	"heliograph/jobs"
)

// An SMS of two parts goes through the pipeline to a real Kannel and over SMPP to
// an operator. Its receipts come back to their parts, and the message is delivered
// when both are.
func TestSMSThroughKannel(t *testing.T) {
	t.Parallel()
	gateway := kanneltest.Start(t, func(m kanneltest.Submitted) string {
		if strings.HasSuffix(m.To, "9") {
			return "UNDELIV"
		}
		return "DELIVRD"
	})
	b, organisation, _ := prepareKannel(t, gateway)
	b.work(t, slog.New(slog.DiscardHandler))

	long, failing := b.acceptSMS(t, organisation, "919812345678", strings.Repeat("0123456789", 20)), b.acceptSMS(t, organisation, "919812345679", "short")
	for id, want := range map[uuid.UUID]string{long: "delivered", failing: "undelivered"} {
		kanneltest.Await(t, want, func() bool { return b.stateOf(t, id) == want })
	}
	var parts, failures int
	err := b.pool.QueryRow(t.Context(), `
		select count(*) filter (where message_id = $1 and state = 'delivered' and carrier = 'operator'),
		       count(*) filter (where message_id = $2 and state = 'undelivered' and failure->>'code' = '608') from carriages`, long, failing).Scan(&parts, &failures)
	if err != nil || parts != 2 || failures != 1 {
		t.Errorf("%d parts are delivered, %d failed, %v", parts, failures, err)
	}
	if got := gateway.Messages(); len(got) != 3 {
		t.Errorf("the operator got %d messages, want 3", len(got))
	}
}

// prepareKannel routes all SMS to a gateway and takes its reports. events returns the
// types of the events that came.
func prepareKannel(t *testing.T, gateway *kanneltest.Gateway) (b *bundle, organisation int64, events func() string) {
	t.Helper()
	var mu sync.Mutex
	var types []string
	receiver := &pipeline.Receiver{Channels: channels.Declared()}
	hooks := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address, ok := pipeline.ParseReportPath(r.URL.Path)
		fields := map[string]string{}
		for name := range r.URL.Query() {
			fields[name] = r.URL.Query().Get(name)
		}
		err := receiver.Receive(r.Context(), address, fields)
		if ended := t.Context().Err() != nil; !ended && (err != nil || !ok) {
			t.Errorf("%s: %v", r.URL, err)
		}
		mu.Lock()
		defer mu.Unlock()
		types = append(types, fields["type"])
	}))
	t.Cleanup(hooks.Close)
	b = prepare(t, func(d *jobs.Deps) {
		d.Gateways = outbound.New(outbound.Options{AllowLoopback: true})
		d.PublicURL = hooks.URL
	})
	b.deps.Routes = pipeline.NewRoutes(b.pool, db.NewListener(nil))
	receiver.DB, receiver.Keyring, receiver.Jobs = b.pool, b.keyring, b.client
	if err := b.pool.QueryRow(t.Context(), `insert into organisations (name, status, sandbox) values ('Live', 'active', false) returning id`).Scan(&organisation); err != nil {
		t.Fatal(err)
	}
	b.addKannel(t, gateway.URL)
	return b, organisation, func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(types, " ")
	}
}

// While a gateway has no connection to its operator, Kannel refuses messages, or takes
// them and gives them up later, and reports both as refusals. So it does with what a
// busy operator has put off too often. They are handed over again, and the operator
// takes each part once. What the operator itself refuses has ended.
func TestSMSOutlivesAKannelWithoutOperator(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(b *bundle, gateway *kanneltest.Gateway, busy *atomic.Bool, send func()){
		"stopped": func(_ *bundle, gateway *kanneltest.Gateway, _ *atomic.Bool, send func()) {
			gateway.Stop(t)
			send()
		},
		"busy": func(_ *bundle, gateway *kanneltest.Gateway, busy *atomic.Bool, send func()) {
			busy.Store(true)
			send()
		},
		"given up later": func(b *bundle, gateway *kanneltest.Gateway, _ *atomic.Bool, send func()) {
			gateway.Leave()
			send()
			// A part that is all of its message has its state in the message.
			kanneltest.Await(t, "the hand-overs", func() bool {
				return b.count(t, `select count(*) from carriages c join messages m on m.id = c.message_id where 'sent' in (c.state, m.state)`) == 3
			})
			gateway.Refuse()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var busy atomic.Bool
			gateway := kanneltest.StartWith(t, kanneltest.Config{Retries: 1}, func(m kanneltest.Submitted) string {
				if busy.Load() {
					return kanneltest.Busy
				}
				if strings.HasSuffix(m.To, "9") {
					return "" // refused
				}
				return "DELIVRD"
			})
			b, organisation, events := prepareKannel(t, gateway)
			b.work(t, slog.New(slog.DiscardHandler))
			kanneltest.Await(t, "a connection", gateway.Bound)
			var long, refused uuid.UUID
			cut(b, gateway, &busy, func() {
				long = b.acceptSMS(t, organisation, "919812345678", strings.Repeat("0123456789", 20))
				refused = b.acceptSMS(t, organisation, "919812345679", "short")
			})
			kanneltest.Await(t, "Kannel to give two messages up", func() bool { return strings.Count(events(), "16") >= 2 })
			kanneltest.Await(t, "the reports to be dealt with", func() bool {
				return b.count(t, `select count(*) from river.river_job where kind = 'carry_again' and state <> 'completed'`) == 0
			})
			for _, state := range []string{b.stateOf(t, long), b.stateOf(t, refused)} {
				again := name == "busy" && state == "sent" // Kannel takes them again meanwhile
				if state != "accepted" && !again {
					t.Fatalf("without an operator a message is %s after the reports %s", state, events())
				}
			}
			busy.Store(false)
			if name != "busy" {
				gateway.Connect(t)
			}
			b.hasten(t, func() bool { return b.stateOf(t, long) == "delivered" && b.stateOf(t, refused) == "rejected" })
			if got := gateway.Messages(); len(got) != 3 {
				t.Errorf("the operator got %d messages, want 3: %v", len(got), got)
			}
			if n := b.count(t, `select count(*) from carriages where message_id = $1 and state = 'delivered' and attempts > 1`, long); n == 0 {
				t.Error("no part of the message was handed over again")
			}
		})
	}
}

// addKannel routes all SMS to a gateway.
func (b *bundle) addKannel(t *testing.T, url string) {
	t.Helper()
	settings, err := json.Marshal(map[string]string{"username": kanneltest.Username})
	if err != nil {
		t.Fatal(err)
	}
	sealed := b.keyring.Seal([]byte(kanneltest.Password), keyring.Place("carriers", "secret", "operator"))
	var id int64
	err = b.pool.QueryRow(t.Context(), `insert into carriers (name, kind, url, settings, secret) values ('operator', 'kannel', $1, $2, $3) returning id`, url, settings, sealed).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.pool.Exec(t.Context(), `insert into carrier_routes (channel, carrier_id) values ('sms', $1)`, id); err != nil {
		t.Fatal(err)
	}
}
