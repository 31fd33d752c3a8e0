//go:build linux

package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
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

// One trace goes from the request through the jobs of its message to the callbacks,
// which carry it on. It contains no key, number or text.
func TestTraceFromRequestToCallback(t *testing.T) {
	f, c := newFleet(t), newTraceCollector(t)
	f.environ = append(f.environ, "OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL, "OTEL_BSP_SCHEDULE_DELAY=100")
	p := newPartner(t, f)
	var mu sync.Mutex
	carried := map[string]bool{}
	note := func(_ http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		carried[r.Header.Get("traceparent")] = true
		return false
	}
	p.failing.Store(&note)
	web := f.start("web")
	f.start("worker")
	p.setWebhook(t, web.url)

	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.url+"/v3/"+p.PhoneNumberID+"/messages", bytes.NewReader(p.messageBody(ordinary, "planted-order")))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("apikey", p.APIKey)
	r.Header.Set("traceparent", "00-"+id+"-00f067aa0ba902b7-01")
	res, err := partnerClient.Do(r)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("the send answers %v, %v", res, err)
	}
	res.Body.Close()

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
	mu.Lock()
	defer mu.Unlock()
	for parent := range carried {
		if !strings.HasPrefix(parent, "00-"+id+"-") || strings.Contains(parent, "00f067aa0ba902b7") {
			t.Errorf("a callback has traceparent %q", parent)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, secret := range []string{p.APIKey, p.WebhookSecret, p.PhoneNumberID, ordinary[1:], "planted-order", "parcel arrives", p.hook.URL} {
		if bytes.Contains(bytes.Join(c.bodies, nil), []byte(secret)) {
			t.Errorf("the traces contain %q", secret)
		}
	}
}
