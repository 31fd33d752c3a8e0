package jobs_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
	"heliograph/db/models"
	"heliograph/jobs"
)

// verifies says which of the secrets the published verifier accepts it with.
func (r received) verifies(t *testing.T, secrets ...string) (good []string) {
	t.Helper()
	for _, secret := range secrets {
		verifier, err := webhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if verifier.Verify(r.body, r.header) == nil {
			good = append(good, secret)
		}
	}
	return good
}

// A callback that an endpoint refused until it was given up comes again, the
// same, when it is replayed; a test event comes as any callback does, signed
// with both secrets while they are rotated.
func TestReplayedAndRotated(t *testing.T) {
	t.Parallel()
	calls, well, url := unwell(t)
	b := setup(t, func(d *jobs.Deps) { d.Schedule = relay.Schedule{Pauses: nil, Circuit: 50 * time.Millisecond} })
	next := func() received {
		t.Helper()
		select {
		case r := <-calls:
			return r
		case <-time.After(20 * time.Second):
			t.Fatal("no callback came")
			return received{}
		}
	}
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: url, Headers: map[string]string{"X-Mine": "a"}}, "test"); err != nil {
		t.Fatal(err)
	}
	find := func() models.NumberWebhook {
		t.Helper()
		w, err := b.service.Webhooks.FindWebhook(t.Context(), b.number.OrganisationID, strconv.FormatInt(b.number.ID, 10))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	id, err := b.service.Webhooks.SendTest(t.Context(), find(), "test")
	if err != nil {
		t.Fatal(err)
	}
	first := next()
	if !strings.Contains(string(first.body), `"field":"test"`) || !slices.Equal(first.verifies(t, b.sandbox.WebhookSecret), []string{b.sandbox.WebhookSecret}) {
		t.Errorf("the test event is %s %v", first.body, first.header)
	}
	b.ends(t, id, "failed")

	well.Store(true)
	if err := b.service.Webhooks.Replay(t.Context(), b.number.OrganisationID, id, "test"); err != nil {
		t.Fatal(err)
	}
	again := next()
	if again.header.Get("webhook-id") != strconv.FormatInt(id, 10) || again.header.Get("webhook-id") != first.header.Get("webhook-id") || string(again.body) != string(first.body) {
		t.Errorf("the replay has id %s, was %s", again.header.Get("webhook-id"), first.header.Get("webhook-id"))
	}
	b.ends(t, id, "delivered")

	if err := b.service.Webhooks.RotateSecret(t.Context(), find().Number, "test"); err != nil {
		t.Fatal(err)
	}
	secrets, err := b.service.Webhooks.RevealSecrets(t.Context(), find().Number, "test")
	if err != nil || secrets.Previous != b.sandbox.WebhookSecret {
		t.Fatalf("the secrets are %v (%v)", secrets, err)
	}
	both := []string{secrets.Current, secrets.Previous}
	send := func() received {
		t.Helper()
		if _, err := b.service.Webhooks.SendTest(t.Context(), find(), "test"); err != nil {
			t.Fatal(err)
		}
		return next()
	}
	if got := send().verifies(t, both...); !slices.Equal(got, both) {
		t.Errorf("during the overlap it verifies with %d secrets", len(got))
	}
	// A day later, or when the developer says so, one secret is left.
	if _, err := b.pool.Exec(t.Context(), `update phone_numbers set previous_secret_until = now()`); err != nil {
		t.Fatal(err)
	}
	if got := send().verifies(t, both...); !slices.Equal(got, both[:1]) {
		t.Errorf("after the overlap it verifies with %d secrets", len(got))
	}
	var names string
	if err := b.pool.QueryRow(t.Context(), `select headers from delivery_attempts limit 1`).Scan(&names); err != nil || names != "X-Mine" {
		t.Errorf("the attempt keeps the headers %q (%v)", names, err)
	}
}

// unwell is an endpoint that refuses everything until it is well.
func unwell(t *testing.T) (<-chan received, *atomic.Bool, string) {
	t.Helper()
	well, calls := &atomic.Bool{}, make(chan received, 20)
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !well.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		calls <- received{header: r.Header, body: body}
	}))
	t.Cleanup(endpoint.Close)
	return calls, well, endpoint.URL
}

// ends waits until a delivery is in a state.
func (b *bundle) ends(t *testing.T, id int64, want string) {
	t.Helper()
	var state string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err := b.pool.QueryRow(t.Context(), `select state from deliveries where id = $1`, id).Scan(&state); err != nil {
			t.Fatal(err)
		}
		if state == want {
			return
		}
	}
	t.Fatalf("delivery %d is %s, not %s", id, state, want)
}

// An attempt keeps what its owner can fix, and nothing about the addresses behind
// a name. A replay does not wait for the pause after failures.
func TestFailureIsToldWithoutItsCause(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *jobs.Deps) { d.Schedule = relay.Schedule{Circuit: time.Hour} })
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: closed.URL}, "test"); err != nil {
		t.Fatal(err)
	}
	w, err := b.service.Webhooks.FindWebhook(t.Context(), b.number.OrganisationID, strconv.FormatInt(b.number.ID, 10))
	if err != nil {
		t.Fatal(err)
	}
	for range 6 { // from the fifth failure on the endpoint is left alone for an hour
		id, err := b.service.Webhooks.SendTest(t.Context(), w, "test")
		if err != nil {
			t.Fatal(err)
		}
		b.ends(t, id, "failed")
	}
	var says string
	if err := b.pool.QueryRow(t.Context(), `select string_agg(distinct error, '|') from delivery_attempts`).Scan(&says); err != nil || says != "127.0.0.1 refused the connection." {
		t.Errorf("the attempts say %q (%v)", says, err)
	}
}
