//go:build linux

package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"heliograph/db/dbtest"
)

// traceCollector takes traces by OTLP over HTTP.
type traceCollector struct {
	*httptest.Server
	mu     sync.Mutex
	bodies [][]byte
	spans  map[string][]string // names by trace
}

func newTraceCollector(t *testing.T) *traceCollector {
	t.Helper()
	c := &traceCollector{spans: map[string][]string{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var export collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &export)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s is no export of traces: %v", r.URL.Path, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bodies = append(c.bodies, body)
		for _, resource := range export.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				for _, span := range scope.Spans {
					id := hex.EncodeToString(span.TraceId)
					c.spans[id] = append(c.spans[id], span.Name)
				}
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

// of returns the names of the spans of a trace that have come so far.
func (c *traceCollector) of(id string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans[id])
}

// tracePart is a fleet that sends its traces to a collector, and the partner that notes the
// traces of callbacks.
type tracePart struct {
	fleet     *fleet
	collector *traceCollector
	partner   *partner
	web       *process

	mu      sync.Mutex
	carried map[string]bool
}

func newTracePart(t *testing.T) *tracePart {
	t.Helper()
	x := &tracePart{fleet: newSmallFleet(t, dbtest.URL(t)), collector: newTraceCollector(t), carried: map[string]bool{}}
	x.fleet.environ = append(x.fleet.environ, "OTEL_EXPORTER_OTLP_ENDPOINT="+x.collector.URL, "OTEL_BSP_SCHEDULE_DELAY=100")
	x.partner = newPartner(t, x.fleet)
	note := func(_ http.ResponseWriter, r *http.Request) bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.carried[r.Header.Get("traceparent")] = true
		return false
	}
	x.partner.failing.Store(&note)
	x.web = x.fleet.start("web")
	x.fleet.start("worker")
	x.partner.setWebhook(t, x.web.url)
	return x
}

// post sends a request of a trace to the API.
func (x *tracePart) post(t *testing.T, trace, path string, body []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, x.web.url+"/v3/"+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("apikey", x.partner.APIKey)
	r.Header.Set("traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
	res, err := partnerClient.Do(r)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %v, %v", path, res, err)
	}
	res.Body.Close()
}

// taken returns the traces of the callbacks since the last call.
func (x *tracePart) taken() map[string]bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	taken := x.carried
	x.carried = map[string]bool{}
	return taken
}

// One trace goes from the request through the jobs of its message to the callbacks,
// which carry it on. It contains no key, number or text.
func TestTraceFromRequestToCallback(t *testing.T) {
	t.Parallel()
	x := newTracePart(t)
	p, c := x.partner, x.collector
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	x.post(t, id, p.PhoneNumberID+"/messages", p.messageBody(ordinary, "planted-order"))
	want := map[string]int{"carry_message": 1, "report_message": 2, "relay_callback": 3}
	missing := func() (names []string) {
		got := map[string]int{}
		for _, name := range c.of(id) {
			got[name]++
		}
		for name, n := range want {
			if got[name] < n {
				names = append(names, name)
			}
		}
		if !slices.ContainsFunc(c.of(id), func(name string) bool { return strings.Contains(name, "sendMessage") }) {
			names = append(names, "the request")
		}
		return names
	}
	for end := time.Now().Add(30 * time.Second); len(missing()) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the trace lacks %v and has %v", missing(), c.of(id))
		}
	}
	for parent := range x.taken() {
		if !strings.HasPrefix(parent, "00-"+id+"-") || strings.Contains(parent, "00f067aa0ba902b7") {
			t.Errorf("a callback has traceparent %q", parent)
		}
	}
	x.checkOthers(t)
	x.submitByQuery(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, secret := range []string{p.APIKey, p.WebhookSecret, p.PhoneNumberID, ordinary[1:], "planted-order", "planted-key", "parcel arrives", p.hook.URL} {
		if bytes.Contains(bytes.Join(c.bodies, nil), []byte(secret)) {
			t.Errorf("the traces contain %q", secret)
		}
	}
}

// submitByQuery makes requests with key and text in the address, one of which is
// refused, and waits for their spans.
func (x *tracePart) submitByQuery(t *testing.T) {
	t.Helper()
	p := x.partner
	for id, key := range map[string]string{"6bf92f3577b34da6a3ce929d0e0e4738": "planted-key", "7bf92f3577b34da6a3ce929d0e0e4739": p.APIKey} {
		query := url.Values{
			"accesskey": {key}, "dest": {ordinary[1:]}, "header": {p.SMSHeader}, "msg": {"Your parcel arrives."}, "dlt_template_id": {p.DLTTemplateID},
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, x.web.url+"/genericapi/QSGenericReceiver?"+query.Encode(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("traceparent", "00-"+id+"-00f067aa0ba902b7-01")
		res, err := partnerClient.Do(r)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("a submission by query: %v, %v", res, err)
		}
		res.Body.Close()
		waitUntil(t, 30*time.Second, "the span of a submission by query is sent", func() bool { return len(x.collector.of(id)) > 0 })
	}
}

// checkOthers checks the traces of callbacks about no message: that about a template
// continues the trace of the request that made it, and one that no request caused has
// a trace of its own.
func (x *tracePart) checkOthers(t *testing.T) {
	t.Helper()
	const made = "5bf92f3577b34da6a3ce929d0e0e4737"
	x.post(t, made, x.partner.BusinessAccountID+"/message_templates",
		[]byte(`{"name": "trace_test", "language": "en_US", "category": "UTILITY", "components": [{"type": "BODY", "text": "Your parcel arrives."}]}`))
	waitUntil(t, 30*time.Second, "the callback about a template is in the trace of its request", func() bool {
		names := x.collector.of(made)
		return slices.Contains(names, "review_template") && slices.Contains(names, "relay_callback")
	})
	for parent := range x.taken() {
		if !strings.HasPrefix(parent, "00-"+made+"-") {
			t.Errorf("the callback about a template has traceparent %q", parent)
		}
	}
	_, err := x.fleet.pool.Exec(t.Context(), `
		with added as (
			insert into deliveries (webhook_id, organisation_id, event, body)
			select id, organisation_id, 'account_update', '{"entry":[{"changes":[{"value":{}}]}]}' from webhooks returning id
		)
		insert into river.river_job (args, kind, max_attempts, queue, state)
		select jsonb_build_object('delivery_id', id), 'relay_callback', 25, 'relay', 'available' from added`)
	if err != nil {
		t.Fatal(err)
	}
	own := ""
	waitUntil(t, 30*time.Second, "a callback without a cause arrives", func() bool {
		for parent := range x.taken() {
			own = parent
		}
		return own != ""
	})
	if len(own) != 55 || strings.Contains(own, made) {
		t.Fatalf("a callback without a cause has traceparent %q", own)
	}
	waitUntil(t, 30*time.Second, "its span is sent", func() bool { return slices.Contains(x.collector.of(own[3:35]), "relay_callback") })
}
