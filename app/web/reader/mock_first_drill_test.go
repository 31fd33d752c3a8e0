//go:build drill

package reader_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
)

// TestDrillMockFirst measures the first request to the mock of a large version, which
// compiles the checks of its release, and the memory that the portal then keeps:
// documentation, checks and all else, which is more than the checks alone. The time is of
// the processor, since other programs may take turns.
//
//	go test -tags drill -run DrillMockFirst -v ./app/web/reader/mock
func TestDrillMockFirst(t *testing.T) {
	documents := map[string][]byte{"1,000 operations": corpus.Generate(t, 0, 1000)}
	for _, d := range corpus.Real(t) {
		if strings.HasPrefix(d.Name, "openai") {
			documents["OpenAI"] = d.Data
		}
	}
	for name, data := range documents {
		t.Run(name, func(t *testing.T) {
			most := map[string]time.Duration{"1,000 operations": 300 * time.Millisecond, "OpenAI": 2 * time.Second}[name]
			heap := live()
			var refresh func() error
			site := webtest.New(t, func(d *web.Deps) { refresh = func() error { return d.Documentation.Refresh(t.Context()) } })
			if err := editorial.Seed(t.Context(), site.DB, fstest.MapFS{
				"products.json": {Data: []byte(`[{"slug":"large","product":{"name":"Large"},"version":"1.0","label":"Current","document":"d.yaml"}]`)},
				"d.yaml":        {Data: data},
			}); err != nil {
				t.Fatal(err)
			}
			if err := refresh(); err != nil {
				t.Fatal(err)
			}
			c := site.Client(t)
			began, cpu := time.Now(), processor(t)
			a := c.Get("/mock/large/1.0/nothing-like-this")
			took, used := time.Since(began), processor(t)-cpu
			if a.Status != 404 {
				t.Fatalf("the first request answers %d: %.300s", a.Status, a.Body)
			}
			kept := float64(live()-heap) / (1 << 20)
			t.Logf("%s: the first request takes %v, and %v of the processor; the portal keeps %.1f MB with its checks", name, took.Round(time.Millisecond), used.Round(time.Millisecond), kept)
			runtime.KeepAlive(site) // counted, like all that it refers to
			if kept > 64 {
				t.Errorf("the portal keeps %.1f MB, want 64", kept)
			}
			if used > most {
				t.Errorf("the first request takes %v, want %v", used, most)
			}
		})
	}
}

// live returns the bytes in use after a collection.
func live() int64 {
	runtime.GC()
	runtime.GC() // what finalizers let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// processor is the processor time of this program so far.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
