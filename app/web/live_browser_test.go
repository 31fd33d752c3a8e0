//go:build browser

package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// gates hold what passes between a page and its server until a test opens them.
type gates struct {
	joins   sync.RWMutex // held while streams must not be joined
	answers sync.RWMutex // held while responses that are ready must not be sent
	late    sync.RWMutex // held while those that open pages asked for must not
	live    atomic.Int64 // responses that open pages asked for by themselves
	refuse  atomic.Bool  // they are refused
	busy    atomic.Bool  // no stream can be had
}

// serve passes a request to the handler and its response back, each through its
// gate.
func (g *gates) serve(w http.ResponseWriter, r *http.Request, handler http.Handler) {
	if strings.HasSuffix(r.URL.Path, "/events") {
		g.joins.RLock()
		defer g.joins.RUnlock()
		if g.busy.Load() {
			http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
			return
		}
		handler.ServeHTTP(w, r)
		return
	}
	if r.Header.Get("X-Live") != "" && g.refuse.Load() {
		http.Error(w, "Bad Gateway", http.StatusBadGateway)
		g.live.Add(1)
		return
	}
	ready := httptest.NewRecorder()
	handler.ServeHTTP(ready, r)
	g.answers.RLock()
	defer g.answers.RUnlock()
	if r.Header.Get("X-Live") != "" {
		g.late.RLock()
		defer g.late.RUnlock()
	}
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

// A page without a list refreshes without a complaint.
func TestRefreshesWithoutAList(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.open("/account")
	said := browsertest.Complaints(t, s.ctx, s.origin)
	s.count(&s.line.streams, 1, "streams")
	s.message("919800000001")
	s.await("the message that was accepted", `document.getElementById("main").innerText.includes("+919800000001")`)
	if complaints := said(); len(complaints) > 0 {
		t.Errorf("the browser complains: %s", complaints)
	}
}

// newListed returns a stand with a tab that shows the list of one message and has joined
// its stream.
func newListed(t *testing.T) *stand {
	t.Helper()
	s := newStand(t)
	s.message("919800000001")
	s.open("/account/messages")
	s.await("the first row", rows+` === 1`)
	s.count(&s.line.streams, 1, "streams")
	return s
}

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

// A refresh that a proxy answers is asked for again. The page stays, and says
// nothing to a person who asked for nothing.
func TestRefusedRefreshIsRepeated(t *testing.T) {
	t.Parallel()
	s := newListed(t)
	s.run(`window.kept = true`)
	before := s.line.gates.live.Load()
	s.line.gates.refuse.Store(true)
	s.message("919800000002")
	s.reach(&s.line.gates.live, before+1, "refreshes")
	time.Sleep(time.Second) // no event is under way any more
	s.line.gates.refuse.Store(false)
	s.await("the row that came with the refused refresh", rows+` === 2 && window.kept`)
	if said := browsertest.Evaluate[string](t, s.ctx, `document.getElementById("flash").textContent.trim()`); said != "" {
		t.Errorf("the page says %q", said)
	}
}

// A page that gets no stream asks every few seconds instead. That renews no session
// either, and leads to the sign-in form soon after the session has ended.
func TestPagesWithoutStream(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.line.gates.busy.Store(true)
	s.message("919800000001")
	s.open("/account/messages")
	s.await("the first row", rows+` === 1`)
	const idle = `update sessions set last_seen_at = now() - interval '20 minutes'`
	s.exec(idle)
	s.message("919800000002")
	s.await("the row that came without a stream", rows+` === 2`)
	var renewed int
	if err := s.pool.QueryRow(t.Context(), `select count(*) from sessions where last_seen_at > now() - interval '19 minutes'`).Scan(&renewed); err != nil || renewed != 0 {
		t.Errorf("%d sessions were renewed, %v", renewed, err)
	}
	s.exec(`delete from sessions`)
	start := time.Now()
	s.await("the sign-in form", `location.pathname === "/login"`)
	// Five seconds are promised; a busy machine takes its time for the form.
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("the page leaves after %v", took)
	}
}

// A refresh that comes after a filter has replaced its list leaves the new one alone.
func TestFilterOvertakesARefresh(t *testing.T) {
	t.Parallel()
	s := newListed(t)
	before := s.line.gates.live.Load()
	s.line.gates.late.Lock()
	s.run(`htmx.trigger("#refresh-list", "sse:sync")`)
	s.run(`window.old = document.getElementById("list"); const state = document.querySelector("select[name=state]"); state.value = "accepted"; state.dispatchEvent(new Event("change", {bubbles: true}))`)
	s.await("the filtered list", `document.getElementById("list") !== old`)
	s.line.gates.late.Unlock()
	s.reach(&s.line.gates.live, before+1, "refreshes")
	s.run(`document.querySelector("#list [aria-controls]").click()`)
	s.await("the details of the row", `document.querySelector("#list .details").textContent.includes("919800000001")`)
}

// A refresh waits while a pointer is down: a click needs both of its ends on the
// same element.
func TestRefreshWaitsForClicks(t *testing.T) {
	t.Parallel()
	s := newListed(t)
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

// A tab that nobody touches shows what happens for as long as its session lasts,
// and no longer: neither its stream nor what that causes renews the session. A
// minute passes for the sessions at each step.
func TestIdleTabs(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	ctx, cancel := chromedp.NewContext(s.ctx)
	t.Cleanup(cancel)
	admin := tab{t, ctx, s.origin}
	s.open("/account/messages")
	admin.open("/admin")
	s.count(&s.line.streams, 2, "streams")
	signedOut := func(p tab, from, to string) bool {
		return browsertest.Evaluate[string](t, p.ctx, `location.pathname + location.search`) == to+"?next="+url.QueryEscape(from)
	}
	ended := 0
	for minute := 1; minute <= 40 && ended == 0; minute++ {
		s.exec(`update sessions set last_seen_at = last_seen_at - interval '1 minute', expires_at = expires_at - interval '1 minute'`)
		if minute < 29 { // the steps take some time themselves
			s.message(fmt.Sprintf("9198000000%02d", minute))
			s.await("the newest message", fmt.Sprintf(rows+` === %d`, minute))
			continue
		}
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end) && ended == 0; time.Sleep(50 * time.Millisecond) {
			if signedOut(s.tab, "/account/messages", "/login") && signedOut(admin, "/admin", "/admin/login") {
				ended = minute
			}
		}
	}
	if ended < 29 || ended > 30 {
		t.Errorf("the sessions end after %d minutes, want 30", ended)
	}
	s.count(&s.line.streams, 0, "streams")
}
