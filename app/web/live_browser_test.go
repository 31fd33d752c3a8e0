package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// gates hold what passes between a page and its server until a test opens them.
type gates struct {
	joins   sync.RWMutex // held while streams must not be joined
	answers sync.RWMutex // held while responses that are ready must not be sent
	live    atomic.Int64 // responses that open pages asked for by themselves
}

// serve passes a request to the handler and its response back, each through its
// gate.
func (g *gates) serve(w http.ResponseWriter, r *http.Request, handler http.Handler) {
	if strings.HasSuffix(r.URL.Path, "/events") {
		g.joins.RLock()
		defer g.joins.RUnlock()
		handler.ServeHTTP(w, r)
		return
	}
	ready := httptest.NewRecorder()
	handler.ServeHTTP(ready, r)
	g.answers.RLock()
	defer g.answers.RUnlock()
	for name, values := range ready.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(ready.Code)
	_, _ = w.Write(ready.Body.Bytes())
	if r.Header.Get("X-Live") != "" {
		g.live.Add(1)
	}
}

const rows = `document.querySelectorAll("#list td[data-label=Kind]").length`

// What happens after a page was rendered and before it joined its stream is shown
// once it has joined.
func TestStreamTellsWhatThePageMissed(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.message("919800000001")
	s.count(&s.heard, 1, "signals")
	s.line.gates.joins.Lock()
	s.open("/account/messages")
	s.await("the first row", rows+` === 1`)
	s.message("919800000002")
	s.count(&s.heard, 2, "signals")
	s.line.gates.joins.Unlock()
	s.await("the row that came before the stream", rows+` === 2`)

	// The same for a page that takes the place of another beside an open stream.
	s.open("/account/keys")
	s.count(&s.line.streams, 1, "streams")
	s.line.gates.answers.Lock()
	s.run(`window.heard = new Promise((resolve) => { new EventSource("/account/events").addEventListener("messages", resolve); });
		document.querySelector("#sections a[href='/account/messages']").click()`)
	s.count(&s.line.streams, 2, "streams")
	s.message("919800000003")
	s.count(&s.heard, 3, "signals")
	browsertest.Evaluate[bool](t, s.ctx, `heard.then(() => true)`)
	s.line.gates.answers.Unlock()
	s.await("the row that came while the page was under way", rows+` === 3`)
}

// A refresh waits while a pointer is down: a click needs both of its ends on the
// same element.
func TestRefreshWaitsForClicks(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.message("919800000001")
	s.open("/account/messages")
	s.await("the first row", rows+` === 1`)
	s.count(&s.line.streams, 1, "streams")
	at := browsertest.Evaluate[map[string]float64](t, s.ctx, `(() => { const box = document.querySelector("#list [aria-controls]").getBoundingClientRect(); return {x: box.x + 5, y: box.y + box.height / 2}; })()`)
	pointer := func(kind input.DispatchMouseEventType) {
		t.Helper()
		event := input.DispatchMouseEventParams{Type: kind, X: at["x"], Y: at["y"], Button: input.MouseButtonLeft, ClickCount: 1}
		if err := chromedp.Do(s.ctx, browsertest.Call(input.DispatchMouseEvent, event)); err != nil {
			t.Fatal(err)
		}
	}
	before := s.line.gates.live.Load()
	pointer(input.DispatchMouseEventTypeMousePressed)
	s.message("919800000002")
	s.reach(&s.line.gates.live, before+1, "refreshes")
	if n := browsertest.Evaluate[int](t, s.ctx, rows); n != 1 {
		t.Errorf("%d rows while the pointer is down, want the 1 that it is on", n)
	}
	pointer(input.DispatchMouseEventTypeMouseReleased)
	s.await("the details of the row that was pressed", `document.querySelector("#list .details").textContent.includes("919800000001")`)
	s.await("the new row", rows+` === 2`)
	s.await("the details", `document.querySelector("#list .details").textContent.includes("919800000001")`)
}
