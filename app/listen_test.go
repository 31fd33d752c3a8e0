package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	rule "heliograph/app/channels/listen"
	"heliograph/app/outbound"
)

// eventPortal answers with one event after the other, and fails at some requests.
type eventPortal struct {
	mu    sync.Mutex
	fails map[int]int // status by request
	asked int
	most  int // events
	ended func()
}

func (p *eventPortal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked++; r.Header.Get("Authorization") != "Bearer hg_test_key" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"detail":"API key is invalid"}`)
		return
	}
	if status := p.fails[p.asked]; status != 0 {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(status)
		return
	}
	page := rule.Page{Events: []rule.Event{}, Next: "0"}
	if after := r.URL.Query().Get("after"); after != "" {
		var n int
		fmt.Sscan(after, &n) //nolint:errcheck // 0 is a number too
		if n < p.most {
			n++
			page.Events = append(page.Events, rule.Event{
				ID: fmt.Sprint(n), Event: "message.sent", Method: "POST", Headers: http.Header{"Webhook-Id": {fmt.Sprint(n)}, "Webhook-Signature": {"v1,abc="}, "X-Own": {"mine"}},
				Body: []byte(`{"n": ` + fmt.Sprint(n) + `, "text":"é"}`),
			})
		} else {
			p.ended()
		}
		page.Next = fmt.Sprint(n)
	}
	json.NewEncoder(w).Encode(page) //nolint:errcheck // the client is the test
}

// Callbacks come byte for byte, once each, through failures of the portal; a run that ended
// within one marks it as repeated, and a wrong key ends at once.
func TestListenRelaysEachCallbackOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	portal := &eventPortal{most: 5, fails: map[int]int{2: 503, 4: 429, 5: 502}, ended: cancel}
	server := httptest.NewServer(portal)
	defer server.Close()
	got := map[string]int{}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := r.Header.Get("Webhook-Id")
		if string(body) != `{"n": `+id+`, "text":"é"}` || r.Header.Get("Webhook-Signature") != "v1,abc=" || r.Header.Get("X-Own") != "mine" {
			t.Errorf("%s: %s %v", id, body, r.Header)
		}
		if got[id]++; id == "2" {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	defer receiver.Close()
	var out bytes.Buffer
	l := &listenCall{portal: server.URL, key: "hg_test_key", out: &out, pause: time.Millisecond, portalCalls: outbound.NewPortal(time.Minute), localCalls: outbound.NewPortal(time.Minute), path: filepath.Join(t.TempDir(), "listen", "state.json")}
	if err := l.complete(t.TempDir(), receiver.URL+"/hook"); err != nil {
		t.Fatal(err)
	}
	if err := l.run(ctx); err != nil {
		t.Fatal(err)
	}
	if len(got) != 5 || got["1"]+got["2"]+got["3"]+got["4"]+got["5"] != 5 {
		t.Errorf("the receiver got %v", got)
	}
	text := out.String()
	if strings.Count(text, "→ 200") != 4 || strings.Count(text, "→ 418") != 1 || !strings.Contains(text, "Ended: 5 events, 4 accepted") || strings.Contains(text, "repeated") {
		t.Errorf("it shows\n%s", text)
	}
	// The program ended while it sent the fourth.
	l.state = listenState{Cursor: "3", Sending: "4"}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	portal.ended = cancel
	out.Reset()
	if err := l.run(ctx); err != nil || !strings.Contains(out.String(), "4 (repeated) → 200") || strings.Contains(out.String(), "5 (repeated)") {
		t.Errorf("%v\n%s", err, out.String())
	}
	l.key = "hg_test_other"
	if err := l.run(t.Context()); err == nil || !strings.Contains(err.Error(), "API key is invalid") {
		t.Errorf("a wrong key gives %v", err)
	}
}

// A receiver that is away is waited for, and a run that is stopped meanwhile ends.
func TestListenWaitsForTheReceiver(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	l := &listenCall{portal: "http://127.0.0.1:1", key: "k", out: &out, pause: time.Millisecond}
	if err := l.complete("", "http://127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	calls := 0
	l.localCalls = callFunc(func(r *http.Request) (*http.Response, error) {
		if calls++; calls < 3 {
			return nil, io.ErrUnexpectedEOF
		}
		return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
	})
	e := rule.Event{ID: "1", Event: "message.sent", Method: "GET", Query: "id=1&status=DELIVRD"}
	l.relay(ctx, ctx, e, false)
	if text := out.String(); calls != 3 || !strings.Contains(text, "nothing answers") || !strings.Contains(text, "→ 204") {
		t.Errorf("%d calls:\n%s", calls, text)
	}
	cancel()
	calls = -100
	l.relay(t.Context(), ctx, e, false)
	if calls != -99 || !strings.Contains(out.String(), "no answer") {
		t.Errorf("a run that is stopped tries %d times", calls+100)
	}
	for _, wrong := range []string{"", "localhost:9000", "ftp://localhost"} {
		if err := l.complete("", wrong); err == nil {
			t.Errorf("--to %q is taken", wrong)
		}
	}
}

// callFunc answers requests.
type callFunc func(*http.Request) (*http.Response, error)

func (f callFunc) Do(r *http.Request) (*http.Response, error) { return f(r) }
