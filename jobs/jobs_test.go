package jobs_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/documentation/openapi/codetest"
	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/jobs"
	"heliograph/jobs/args"
	"heliograph/storage/storagetest"
)

// bundle is a worker with all queues and a service that accepts, on one
// sandbox organisation.
type bundle struct {
	pool    *pgxpool.Pool
	deps    jobs.Deps
	client  *river.Client[pgx.Tx] // inserts only
	keyring *keyring.Keyring
	service *messaging.Service
	sandbox assets.Sandbox
	number  models.PhoneNumber
	timed   bool // the worker also runs jobs by the clock, each when it starts
}

type openGuard struct{}

func (openGuard) CheckWebhook(context.Context, string, map[string]string) error { return nil }

func (openGuard) Challenge(context.Context, string, string, map[string]string, string) error {
	return nil
}

// setup starts the worker, without the jobs that run by the clock; change may change what it works with.
func setup(t *testing.T, change ...func(*jobs.Deps)) *bundle {
	t.Helper()
	return setupLogged(t, slog.New(slog.DiscardHandler), change...)
}

// setupLogged is setup with a log.
func setupLogged(t *testing.T, log *slog.Logger, change ...func(*jobs.Deps)) *bundle {
	t.Helper()
	b := prepare(t, change...)
	b.work(t, log)
	return b
}

// prepare makes a bundle with a worker that does not run yet.
func prepare(t *testing.T, change ...func(*jobs.Deps)) *bundle {
	t.Helper()
	b := &bundle{pool: dbtest.Pool(t)}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	b.keyring = keys
	folder := storagetest.Folder(t)
	b.deps = jobs.Deps{
		Pool: b.pool, Keyring: keys, Channels: channels.Declared(), Carrier: outbound.NewVirtual(nil), Poster: outbound.New(outbound.Options{AllowLoopback: true}), Store: folder, Anchors: folder, Product: "msgapp",
	}
	b.deps.Settings = setting.New(setting.Options{DB: b.pool, Listener: db.NewListener(nil), Keyring: keys})
	for _, c := range change {
		c(&b.deps)
	}
	if b.client, err = jobs.New(b.deps, nil, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	listener := db.NewListener(b.pool)
	b.service = messaging.New(messaging.Options{
		Pool: b.pool, Listener: listener, Keyring: keys, Jobs: b.client, Guard: openGuard{}, Words: []string{"msgapp"}, Store: b.deps.Store,
	})
	dbtest.Listen(t, listener)
	b.join(t, "Sandbox")
	return b
}

// work starts the worker, which runs until the test ends.
func (b *bundle) work(t *testing.T, log *slog.Logger) {
	t.Helper()
	b.workUntil(t, log)
}

// workUntil starts the worker, which runs until stop or the end of the test.
func (b *bundle) workUntil(t *testing.T, log *slog.Logger) (stop func()) {
	t.Helper()
	create := jobs.NewUntimed
	if b.timed {
		create = jobs.New
	}
	client, err := create(b.deps, jobs.Queues(), log)
	if err != nil {
		t.Fatal(err)
	}
	running, end := context.WithCancel(context.Background())
	if err := client.Start(running); err != nil {
		t.Fatal(err)
	}
	stop = func() { end(); <-client.Stopped() }
	t.Cleanup(stop)
	return stop
}

// join makes a sandbox organisation, which the bundle goes on with.
func (b *bundle) join(t *testing.T, name string) {
	t.Helper()
	var organisation int64
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		err := tx.QueryRow(t.Context(), `insert into organisations (name, status, sandbox) values ($1, 'active', true) returning id`, name).Scan(&organisation)
		if err != nil {
			return err
		}
		b.sandbox, err = messaging.Provision(t.Context(), tx, b.keyring, organisation, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if b.number, err = b.service.Numbers.Number(t.Context(), organisation, fmt.Sprint(b.sandbox.PhoneNumberID)); err != nil {
		t.Fatal(err)
	}
}

func (b *bundle) send(t *testing.T, recipient string) string {
	t.Helper()
	return b.sendBody(t, fmt.Sprintf(`{"messaging_product":"msgapp","to":%q,"text":{"body":"Hello"},"biz_opaque_callback_data":"order-7"}`, recipient))
}

// sendBody sends what a body says.
func (b *bundle) sendBody(t *testing.T, body string) string {
	t.Helper()
	reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(body), "")
	if err != nil {
		t.Fatal(err)
	}
	var sent messaging.SendReply
	if err := json.Unmarshal(reply.Body, &sent); err != nil {
		t.Fatal(err)
	}
	return sent.Messages[0].ID
}

// received is a callback as a partner's server got it.
type received struct {
	header http.Header
	body   []byte
	status messaging.CallbackStatus
}

// receiver serves a webhook; answer chooses the status of each call.
func receiver(t *testing.T, answer func(n int) int) (url string, calls <-chan received) {
	t.Helper()
	out := make(chan received, 1000)
	var mu sync.Mutex
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		n++
		status := answer(n)
		mu.Unlock()
		var c struct {
			Entry []struct {
				Changes []struct{ Value messaging.MessagesChange }
			}
		}
		if err := json.Unmarshal(body, &c); err != nil {
			t.Errorf("callback is not JSON: %s", body)
			return
		}
		w.WriteHeader(status)
		for _, e := range c.Entry[0].Changes[0].Value.Statuses[0].Errors {
			codetest.Note(t, "messaging", strconv.Itoa(e.Code), "a message to "+c.Entry[0].Changes[0].Value.Statuses[0].RecipientID+", in its callback")
		}
		out <- received{r.Header, body, c.Entry[0].Changes[0].Value.Statuses[0]}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/hook", out
}

func always(status int) func(int) int { return func(int) int { return status } }

func next(t *testing.T, calls <-chan received) received {
	t.Helper()
	select {
	case c := <-calls:
		return c
	case <-time.After(30 * time.Second):
		t.Fatal("no callback within 30 s")
		return received{}
	}
}

func (b *bundle) setWebhook(t *testing.T, url string) {
	t.Helper()
	w := messaging.Webhook{URL: url, Headers: map[string]string{"X-Webhook-Secret": "mine"}}
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, w, "test"); err != nil {
		t.Fatal(err)
	}
}

func TestMessageThereAndBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	for _, tt := range []struct{ recipient, states string }{
		{"+919812345678", "sent delivered read"},
		{"+919812340001", "failed"},
		{"+919812340002", "failed"},
		{"+919812340003", "sent"},
		{"+919812340004", "sent delivered"},
	} {
		id := b.send(t, tt.recipient)
		want := map[string]bool{}
		for _, state := range strings.Fields(tt.states) {
			want[state] = true
		}
		for range strings.Fields(tt.states) {
			c := next(t, calls)
			if c.status.ID != id || !want[c.status.Status] || c.status.Reference != "order-7" || c.status.RecipientID != tt.recipient[1:] {
				t.Errorf("%s: callback %+v", tt.recipient, c.status)
			}
			delete(want, c.status.Status)
			mac := hmac.New(sha256.New, []byte(b.sandbox.WebhookSecret))
			mac.Write(c.body)
			if got := c.header.Get("X-Hub-Signature-256"); got != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
				t.Errorf("signature %q does not fit the body", got)
			}
			if c.header.Get("X-Webhook-Secret") != "mine" {
				t.Error("the custom header is missing")
			}
			if c.status.Status == "failed" && (len(c.status.Errors) != 1 || c.status.Errors[0].Code == 0) {
				t.Errorf("a failure without its error: %s", c.body)
			}
		}
	}
	select {
	case c := <-calls:
		t.Errorf("one callback too many: %s", c.body)
	case <-time.After(300 * time.Millisecond):
	}
}

func TestFailedAttemptIsStoredAndTriedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	url, calls := receiver(t, func(n int) int {
		if n == 1 {
			return 503
		}
		return 200
	})
	b.setWebhook(t, url)
	b.send(t, "+919812340003")
	first, second := next(t, calls), next(t, calls)
	if string(first.body) != string(second.body) || first.header.Get("X-Heliograph-Delivery") != second.header.Get("X-Heliograph-Delivery") {
		t.Error("the second attempt is not the same delivery")
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		var state string
		var attempts int
		err := b.pool.QueryRow(t.Context(), `select state, (select count(*) from delivery_attempts where status in (200, 503)) from deliveries`).Scan(&state, &attempts)
		if err != nil {
			t.Fatal(err)
		}
		if state == "delivered" && attempts == 2 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("delivery is %s after %d stored attempts, want delivered after 2", state, attempts)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestGoneEndpointIsDisabled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	url, calls := receiver(t, always(410))
	b.setWebhook(t, url)
	for i, role := range []string{"owner", "owner", "developer"} {
		_, err := b.pool.Exec(t.Context(), `insert into organisation_users (organisation_id, email, password_hash, role, active) values ($1, $2, '', $3, true)`,
			b.number.OrganisationID, fmt.Sprintf("%s%d@example.com", role, i), role)
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		b.send(t, "+919812340003")
	}
	next(t, calls)
	deadline := time.Now().Add(10 * time.Second)
	for {
		var disabled bool
		var state string
		err := b.pool.QueryRow(t.Context(), `select bool_and(disabled_at is not null), string_agg(distinct state, ' ') from webhooks w join deliveries d on d.webhook_id = w.id`).Scan(&disabled, &state)
		if err != nil {
			t.Fatal(err)
		}
		if disabled && state == "failed" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("disabled = %v, delivery %s", disabled, state)
		}
		time.Sleep(20 * time.Millisecond)
	}
	// The owners hear of it, once.
	var told string
	err := b.pool.QueryRow(t.Context(), `select string_agg(recipient || ' ' || purpose, ', ' order by recipient) from notifications`).Scan(&told)
	if want := "owner0@example.com webhook_disabled, owner1@example.com webhook_disabled"; err != nil || told != want {
		t.Errorf("told %q, %v, want %q", told, err, want)
	}
}

func TestOnlyNamesTheQueuesThereAre(t *testing.T) {
	t.Parallel()
	chosen, err := jobs.Only([]string{"relay"})
	if err != nil || len(chosen) != 1 {
		t.Errorf("Only(relay) = %v, %v", chosen, err)
	}
	if _, err := jobs.Only([]string{"rely"}); err == nil || !strings.Contains(err.Error(), "relay") {
		t.Errorf("Only(rely) = %v, want the names there are", err)
	}
}

func TestHousekeepDeletesWhatIsOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := b.pool.Exec(t.Context(), `
		insert into idempotency_keys (organisation_id, key, route, fingerprint, status, response, created_at)
		values (1, 'old', '', decode(repeat('00', 32), 'hex'), 200, '', now() - interval '73 hours'),
		       (1, 'new', '', decode(repeat('00', 32), 'hex'), 200, '', now());
		insert into rate_limits values ('old', now() - interval '2 days'), ('new', now());`); err != nil {
		t.Fatal(err)
	}
	client, err := river.NewClient(riverpgxv5.New(b.pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Insert(t.Context(), args.Housekeep{}, nil); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(15 * time.Second)
	for {
		var left string
		err := b.pool.QueryRow(t.Context(), `select string_agg(key, ' ' order by key) from (select key from idempotency_keys union all select key from rate_limits) k`).Scan(&left)
		if err != nil {
			t.Fatal(err)
		}
		if left == "new new" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left: %s, want what is new only", left)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
