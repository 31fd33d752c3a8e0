package reader_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// connections is how many readers ask at the same time.
const connections = 32

// BenchmarkSearch asks 10,000 generated endpoints from 32 connections at once
// and reports how long the 95th in a hundred answers takes, handler and
// database together. Distinct queries are new each time; typed ones are what
// readers send while they type, letter by letter, and repeat.
func BenchmarkSearch(b *testing.B) {
	pool, err := db.Open(b.Context(), dbtest.URL(b), db.Options{MaxConns: 8})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	generate(b, pool, 20, 500)
	if _, err := pool.Exec(b.Context(), "vacuum analyze"); err != nil {
		b.Fatal(err)
	}
	listener := db.NewListener(pool)
	site := webtest.New(b, func(d *web.Deps) {
		d.DB, d.Pool, d.Documentation, d.Search = pool, pool, published.New(pool, listener), search.New(pool, listener)
	})
	dbtest.Listen(b, listener)
	var typed []string
	for range 50 {
		text := wish(0)
		for n := range len(text) {
			typed = append(typed, text[:n+1])
		}
	}
	b.Run("distinct", func(b *testing.B) { ask(b, site.Server.Handler(), wish) })
	b.Run("typed", func(b *testing.B) {
		ask(b, site.Server.Handler(), func(int) string { return typed[rand.IntN(len(typed))] })
	})
}

// wish is what a reader may look for: words, names, fields, paths, slips.
func wish(int) string {
	pick := func(list []string) string { return list[rand.IntN(len(list))] }
	noun := pick(nouns)
	switch rand.IntN(6) {
	case 0:
		return strings.ToLower(pick(verbs) + " " + pick(qualifiers) + " " + noun)
	case 1:
		return strings.ToLower(pick(verbs)) + " " + noun[:3] // still typing
	case 2:
		return pick(members) + " " + noun
	case 3:
		return fmt.Sprintf("post:/%s/%s-%ss/%d", noun, pick(qualifiers), noun, rand.IntN(1000))
	case 4:
		at := 1 + rand.IntN(len(noun)-2)
		return pick(qualifiers) + " " + noun[:at] + noun[at+1:]
	}
	return pick(qualifiers) + " " + noun
}

func ask(b *testing.B, handler http.Handler, query func(int) string) {
	took := make([]time.Duration, b.N)
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for reader := range connections {
		wg.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= b.N {
					return
				}
				r := httptest.NewRequest("GET", "/api/search?q="+url.QueryEscape(query(n)), nil)
				r.Header.Set("HX-Request", "true") // the dialog's answer is the larger one
				// Each reader moves on before the limit of an address.
				r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:4000", reader, n/25600%256, n/100%256)
				w := httptest.NewRecorder()
				began := time.Now()
				handler.ServeHTTP(w, r)
				took[n] = time.Since(began)
				if w.Code != 200 {
					b.Errorf("%s answers %d: %s", r.URL, w.Code, w.Body)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	slices.Sort(took)
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(milliseconds(took[b.N/2]), "p50-ms")
	b.ReportMetric(milliseconds(took[b.N*95/100]), "p95-ms")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
}
