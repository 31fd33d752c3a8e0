//go:build drill

package operation_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/operation/theme"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/seed"
)

// serve returns the address of a portal with the documentation that the program ships, and
// its themes.
func serve(t *testing.T) (address string, themes *theme.Themes) {
	t.Helper()
	pool := dbtest.Pool(t)
	if err := editorial.Seed(t.Context(), pool, seed.Files); err != nil {
		t.Fatal(err)
	}
	themes = theme.New(pool, nil, nil)
	site := webtest.New(t, func(d *web.Deps) {
		d.DB, d.Pool, d.Documentation, d.Themes = pool, pool, published.New(pool, db.NewListener(pool)), themes
		if err := d.Documentation.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	server := httptest.NewServer(site.Server.Handler())
	t.Cleanup(server.Close)
	return server.URL, themes
}

func publish(t *testing.T, themes *theme.Themes, d theme.Document) {
	t.Helper()
	by := theme.Author{Actor: "system"}
	draft, err := themes.Load(t.Context(), theme.Public)
	if err != nil {
		t.Fatal(err)
	}
	version, err := themes.Save(t.Context(), theme.Public, d, draft.Version, by)
	if err == nil {
		err = themes.Publish(t.Context(), theme.Public, version, by)
	}
	if err == nil {
		err = themes.Refresh(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// load sends requests for the paths until a time, from eight clients, and returns how many
// were answered. look sees each page.
func load(t *testing.T, address string, paths []string, until time.Time, look func(body []byte)) int64 {
	t.Helper()
	var answered atomic.Int64
	var clients sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	defer client.CloseIdleConnections()
	for range 8 {
		clients.Go(func() {
			for n := 0; time.Now().Before(until); n++ {
				r, _ := http.NewRequestWithContext(t.Context(), "GET", address+paths[n%len(paths)], nil)
				if look == nil {
					r.Header.Set("Accept-Encoding", "gzip")
				}
				answer, err := client.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(answer.Body)
				_ = answer.Body.Close()
				if err != nil {
					t.Error(err)
					return
				}
				if look != nil {
					look(body)
				}
				answered.Add(1)
			}
		})
	}
	clients.Wait()
	return answered.Load()
}

var (
	sheetOf = regexp.MustCompile(`href="(/theme/public/[0-9a-f]+\.css)"`)
	nameOf  = regexp.MustCompile(`class="brand"[^>]*>[\s\S]*?<span>([^<]*)</span>`)
)

// While themes change under at least 1,000 requests a second, every page has the name of
// the theme that its style sheet belongs to.
func TestDrillThemesSwitchWhole(t *testing.T) {
	address, themes := serve(t)
	sheets := map[string]string{"Heliograph": ""} // of each name
	documents := map[string]theme.Document{"Heliograph": {}}
	for _, p := range theme.Presets {
		d := p.Document
		d.Brand.Name = "Portal " + p.Label
		publish(t, themes, d)
		sheets[d.Brand.Name], documents[d.Brand.Name] = themes.Current(theme.Public).Stylesheet, d
	}
	publish(t, themes, theme.Document{})
	var mu sync.Mutex
	seen, mixed := map[string]int{}, 0
	until := time.Now().Add(20 * time.Second)
	done := make(chan int64, 1)
	go func() {
		done <- load(t, address, []string{"/", endpoint, "/docs/sms/1.0", "/missing", "/productguide"}, until, func(body []byte) {
			name, sheet := "", ""
			if m := nameOf.FindSubmatch(body); m != nil {
				name = string(m[1])
			}
			if m := sheetOf.FindSubmatch(body); m != nil {
				sheet = string(m[1])
			}
			mu.Lock()
			defer mu.Unlock()
			seen[name]++
			if want, known := sheets[name]; !known || sheet != want {
				mixed++
			}
		})
	}()
	switches := 0
	for time.Now().Before(until) {
		for _, d := range documents {
			publish(t, themes, d)
			switches++
			time.Sleep(50 * time.Millisecond)
		}
	}
	answered := <-done
	t.Logf("%d requests, %d a second, %d switches, pages by name %v", answered, answered/20, switches, seen)
	if mixed > 0 || len(seen) != len(sheets) {
		t.Errorf("%d pages are mixed; seen are %v", mixed, seen)
	}
	if answered < 20_000 {
		t.Errorf("only %d requests in 20 s", answered)
	}
}

// The page of an endpoint is served at least 0.98 times as fast with a theme.
func TestDrillThemesCostLittle(t *testing.T) {
	plain, _ := serve(t)
	themed, themes := serve(t)
	publish(t, themes, theme.Presets[0].Document)
	var ratios []float64
	measure := func(address string) float64 {
		return float64(load(t, address, []string{endpoint}, time.Now().Add(300*time.Millisecond), nil))
	}
	for i := range 101 {
		var first, second float64
		if i%2 == 0 {
			first = measure(plain)
			second = measure(themed)
		} else {
			second = measure(themed)
			first = measure(plain)
		}
		ratios = append(ratios, second/first)
	}
	slices.Sort(ratios)
	t.Logf("ratios %.3f, quartiles %.3f and %.3f", ratios[50], ratios[25], ratios[75])
	if ratios[50] < 0.98 {
		t.Errorf("the median ratio is %.3f", ratios[50])
	}
}
