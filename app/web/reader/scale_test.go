package reader_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/published"
	"heliograph/app/web/reader"
	"heliograph/db"
	"heliograph/static"
)

// heap is what the program holds, in MiB. What is in a pool is let go by the second
// collection after its use.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// BenchmarkMemory reads a thousand endpoints, each in all languages: what is
// kept of them must leave room within the 150 MB of a web process. Run it with
// go test -run - -bench Memory -benchtime 1x ./app/web/reader
func BenchmarkMemory(b *testing.B) {
	p := publish(b)
	before := heap()
	generate(b, p.pool, 2, 500)
	p.refresh(b)
	model := heap() - before
	for b.Loop() {
		for _, product := range p.documentation.Snapshot().Products {
			for _, e := range product.Latest().Endpoints() {
				for _, l := range sample.Languages() {
					if w := p.ask("GET", "/docs/"+product.Slug+"/1.0/"+e.Slug+"?lang="+l.Slug, "Accept-Encoding", "gzip"); w.Code != http.StatusOK {
						b.Fatalf("%s in %s: %d", e.Slug, l.Name, w.Code)
					}
				}
			}
		}
	}
	all := heap() - before
	runtime.KeepAlive(p)
	b.ReportMetric(model, "MiB-model")
	b.ReportMetric(all, "MiB-served")
	if all > 100 {
		b.Errorf("the documentation holds %.1f MiB, at most 100", all)
	}
}

// nested is a contract with one body, so many levels deep and wide, in forms of
// these names if there are any.
func nested(levels, width int, forms ...string) string {
	type object = map[string]any
	schema := object{"type": "string"}
	for range levels {
		properties := object{"deeper": schema}
		for i := range width {
			properties[fmt.Sprintf("field%d", i)] = object{"type": "string", "description": "One of many."}
		}
		schema = object{"type": "object", "properties": properties}
	}
	if len(forms) > 0 {
		var list []object
		for _, name := range forms {
			list = append(list, object{"title": name, "type": "object", "properties": schema["properties"]})
		}
		schema = object{"oneOf": list}
	}
	text, err := json.Marshal(object{"openapi": "3.1.0", "info": object{"title": "Deep", "version": "1"}, "paths": object{"/deep": object{"post": object{
		"operationId": "dig", "requestBody": object{"content": object{"application/json": object{"schema": schema}}},
		"responses": object{"200": object{"description": "Done."}},
	}}}})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A large version and a deep schema stay quick: what is not near is left to a
// page of its own address.
func TestLargePagesStayQuick(t *testing.T) {
	t.Parallel()
	p := publish(t)
	generate(t, p.pool, 1, 500)
	p.release(t, editorial.Import{ProductSlug: "deep", Product: content.Product{Name: "Deep", Summary: "Far down."},
		VersionSlug: "1.0", Version: content.Version{Label: "Current"}}, nested(22, 120))
	endpoint := p.documentation.Snapshot().Product("channel-0").Latest().Endpoints()[250]
	for _, tt := range []struct {
		path         string
		zipped, html int
	}{
		{"/docs/channel-0/1.0", 60_000, 450_000},
		{"/docs/channel-0/1.0/" + endpoint.Slug, 12_000, 80_000},
		{"/docs/deep/1.0/dig", 30_000, 400_000},
	} {
		start := time.Now()
		w := p.ask("GET", tt.path, "Accept-Encoding", "gzip")
		took := time.Since(start)
		html := len(unzip(t, w.Body))
		zipped := p.ask("GET", tt.path, "Accept-Encoding", "gzip").Body.Len()
		t.Logf("%s: %d bytes, %d compressed, first made in %s", tt.path, html, zipped, took)
		if zipped > tt.zipped || html > tt.html {
			t.Errorf("%s has %d bytes and %d compressed, at most %d and %d", tt.path, html, zipped, tt.html, tt.zipped)
		}
	}
	nav := p.page(t, "/docs/channel-0/1.0/"+endpoint.Slug).Find(".nav")
	if links := nav.Find("details[open] li").Length(); links == 0 || nav.Find("details[open]").Length() != 1 || nav.Find("[data-group]").Length() == 0 {
		t.Errorf("%d links in open groups: %s", links, words(nav)[:200])
	}
	if n := p.page(t, "/docs/channel-0/1.0").Find(".nav details li").Length(); n != 500 {
		t.Errorf("the overview lists %d endpoints, want 500", n)
	}
	deep := "body" + strings.Repeat(".deeper", 10) + ".field7"
	if p.page(t, "/docs/deep/1.0/dig").Find(`[id="`+deep+`"]`).Length() > 0 {
		t.Error("a deep field is in a large page")
	}
	branch := p.page(t, "/docs/deep/1.0/dig").Find("[data-branch]").First().AttrOr("href", "")
	if want := "?field=body.deeper.deeper.deeper.deeper#body.deeper.deeper.deeper.deeper"; branch != want {
		t.Errorf("the branch is at %q, want %q", branch, want)
	}
	p.release(t, editorial.Import{ProductSlug: "forms", Product: content.Product{Name: "Forms", Summary: "Of one body."},
		VersionSlug: "1.0", Version: content.Version{Label: "Current"}}, nested(22, 120, "Round", "Square"))
	branch = p.page(t, "/docs/forms/1.0/dig").Find("[data-branch]").First().AttrOr("href", "")
	if want := "?field=body%3Around.deeper.deeper.deeper#body:round.deeper.deeper.deeper"; branch != want {
		t.Errorf("the branch of a form is at %q, want %q", branch, want)
	}
	if row := p.page(t, "/docs/deep/1.0/dig?field="+deep).Find(`[id="` + deep + `"]`); row.Length() != 1 || row.ParentsFiltered("details:not([open])").Length() > 0 {
		t.Error("a deep field is not shown at its address")
	}
}

// What is published in one process is at once to be read in another.
func TestPublishedIsVisibleElsewhere(t *testing.T) {
	t.Parallel()
	here := publish(t)
	elsewhere, err := db.Open(t.Context(), here.pool.Config().ConnString(), db.Options{MaxConns: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(elsewhere.Close)
	listener := db.NewListener(elsewhere)
	c := published.New(elsewhere, listener)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { listener.Run(ctx) })
	running.Go(func() { c.Run(ctx) })
	defer running.Wait()
	defer stop()
	pages := reader.New(reader.Deps{Documentation: c, PublicURL: origin})
	there := &testPortal{Echo: here.Echo, documentation: c}
	here.GET("/there/docs/:product", func(e echo.Context) error {
		e.Request().URL.Path = strings.TrimPrefix(e.Request().URL.Path, "/there")
		return pages.Serve(reader.Product)(e)
	})
	document, err := openapi.Read([]byte(contract(t, "two.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	im := editorial.Import{Document: document, ProductSlug: "lamps", VersionSlug: "1.0", Version: content.Version{Label: "Current"}}
	var waits []time.Duration
	for i := range 10 {
		im.Product = content.Product{Name: fmt.Sprint("Lamps ", i), Summary: "Signals by light."}
		set, err := editorial.Draft(t.Context(), here.pool, editorial.System, im)
		if err != nil {
			t.Fatal(err)
		}
		if err := editorial.Publish(t.Context(), here.pool, editorial.System, set, true); err != nil {
			t.Fatal(err)
		}
		done := time.Now()
		for !strings.Contains(there.ask("GET", "/there/docs/lamps").Body.String(), "<h1>"+im.Product.Name+"</h1>") {
			if time.Since(done) > 10*time.Second {
				t.Fatal("not visible within ten seconds")
			}
			time.Sleep(time.Millisecond)
		}
		waits = append(waits, time.Since(done))
	}
	slices.Sort(waits[1:])
	t.Logf("visible elsewhere after %s (median), %s (most); the first, while the listener connects, after %s", waits[5], waits[9], waits[0])
	if waits[5] > time.Second {
		t.Errorf("the median is %s, at most a second", waits[5])
	}
}

// The first view of an endpoint page, with all that it loads, over the wire.
func TestWeightOverTheWire(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	page := p.ask("GET", longPage, "Accept-Encoding", "gzip").Body.Len()
	total := page
	for _, name := range []string{"css/site.css", "js/site.js", "js/theme.js", "img/favicon.svg"} {
		asset, ok := static.Open(static.URL(name))
		if !ok {
			t.Fatalf("no file %s", name)
		}
		size := len(asset.Gzip)
		if asset.Gzip == nil {
			size = len(asset.Body)
		}
		total += size
		t.Logf("%s: %d bytes", name, size)
	}
	t.Logf("%s: %d bytes; together %d", longPage, page, total)
	if total > 75_000 {
		t.Errorf("the first view weighs %d bytes, at most 75,000", total)
	}
}

// BenchmarkRender renders the longest page, as for the first reader after a
// release.
func BenchmarkRender(b *testing.B) {
	p := seeded(b)
	for b.Loop() {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, longPage+"?field=body.to", nil))
	}
}
