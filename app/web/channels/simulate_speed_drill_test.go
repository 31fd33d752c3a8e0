//go:build drill

package channels_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"heliograph/views/browsertest"
)

// The limits of a preview, and how often each example is typed into. All together stays
// below what an address may check in a minute.
const (
	mostServer = 30 * time.Millisecond
	mostTyping = 150 * time.Millisecond
	typings    = 4
)

// typing adds a space to the text and returns the milliseconds until the page has another
// phone, or -1.
const typing = `(async () => {
	const field = document.getElementById("simulator").elements.text, shown = document.getElementById("simulator-preview");
	const began = performance.now();
	field.value += " ";
	field.dispatchEvent(new Event("input", { bubbles: true }));
	while (document.getElementById("simulator-preview") === shown) {
		await new Promise((done) => requestAnimationFrame(done));
		if (performance.now() - began > 10000) return -1;
	}
	return performance.now() - began;
})()`

// TestPreviewSpeedDrill types into every example of every simulator in a real browser. It
// takes the time of the server for each preview, and the time from the key to the new
// phone. Run it on a machine with nothing else to do.
//
//	go test -vet=off -tags drill -run PreviewSpeedDrill -v ./app/web/channels/simulate
func TestPreviewSpeedDrill(t *testing.T) {
	var mu sync.Mutex
	var served []time.Duration
	y, _ := newTypist(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			began := time.Now()
			next.ServeHTTP(w, r)
			if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/simulators/") {
				mu.Lock()
				defer mu.Unlock()
				served = append(served, time.Since(began))
			}
		})
	})
	var typed []time.Duration
	slowest := ""
	for _, slug := range []string{"messaging", "rcs", "sms"} {
		y.open("/simulators/" + slug)
		names := browsertest.Evaluate[[]string](t, y.ctx, `[...document.querySelectorAll("#field-example option")].map((o) => o.value)`)
		for _, name := range names {
			y.open("/simulators/" + slug + "?example=" + url.QueryEscape(name))
			y.until("the editor", `document.querySelector("code-editor#field-text")?.shadowRoot?.querySelector(".cm-content")`)
			for range typings {
				ms := browsertest.Evaluate[float64](t, y.ctx, typing)
				if ms < 0 {
					t.Fatalf("%s %s: the phone does not follow", slug, name)
				}
				took := time.Duration(ms * float64(time.Millisecond))
				if len(typed) == 0 || took > slices.Max(typed) {
					slowest = fmt.Sprint(slug, " ", name)
				}
				typed = append(typed, took)
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for what, one := range map[string]struct {
		times []time.Duration
		most  time.Duration
	}{"server": {served, mostServer}, "key to phone": {typed, mostTyping}} {
		slices.Sort(one.times)
		n := len(one.times)
		if n < 100 {
			t.Fatalf("%s: only %d previews", what, n)
		}
		p95 := one.times[n*95/100]
		t.Logf("%s: %d previews, p50 %s, p95 %s, most %s", what, n, one.times[n/2].Round(time.Millisecond/10), p95.Round(time.Millisecond/10), one.times[n-1].Round(time.Millisecond/10))
		if p95 > one.most {
			t.Errorf("%s: p95 is %s, at most %s is accepted", what, p95, one.most)
		}
	}
	t.Logf("the slowest is %s", slowest)
}
