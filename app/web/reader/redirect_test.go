package reader_test

import (
	"net/http"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
)

// move gives an item below a parent another slug and publishes that.
func (p *testPortal) move(t *testing.T, kind, parent, from, to string) {
	t.Helper()
	var item, set int64
	scan := func(into *int64, sql string, args ...any) {
		t.Helper()
		if err := p.pool.QueryRow(t.Context(), sql, args...).Scan(into); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	scan(&item, `select i.id from items i left join items p on p.id = i.parent_id where i.kind = $1 and coalesce(p.slug, '') = $2 and i.slug = $3`, kind, parent, from)
	if err := editorial.MoveItem(t.Context(), p.pool, editorial.System, 0, item, editorial.Address{Slug: to}); err != nil {
		t.Fatal(err)
	}
	scan(&set, `select id from change_sets where state = 'draft'`)
	if err := editorial.Publish(t.Context(), p.pool, editorial.System, set, true); err != nil {
		t.Fatal(err)
	}
	p.refresh(t)
}

// wantMoved asks for old addresses, with and without .md, and for the pages that
// they redirect to.
func (p *testPortal) wantMoved(t *testing.T, moved map[string]string) {
	t.Helper()
	for from, to := range moved {
		for _, suffix := range []string{"", ".md", "?lang=go", ".md?lang=go"} {
			if w := p.ask("GET", from+suffix); w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != to+suffix || w.Header().Get("Cache-Control") != "public, no-cache" {
				t.Errorf("%s answers %d with %q, want %q; %v", from+suffix, w.Code, w.Header().Get("Location"), to+suffix, w.Header())
			}
			if w := p.ask("GET", to+suffix); w.Code != http.StatusOK {
				t.Errorf("%s answers %d", to+suffix, w.Code)
			}
		}
	}
}

// The old address of an item redirects to its page for as long as no other item
// takes it. Every step moves one item, as an editor does.
func TestOldAddressesRedirect(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	p.release(t, editorial.Import{ProductSlug: "mirrors", Product: content.Product{Name: "Mirrors"},
		Guides: []editorial.ImportGuide{{Slug: "begin", Guide: content.Guide{Title: "Begin", Text: "Look."}}}}, "")

	p.move(t, content.KindEndpoint, "2.0", "get-mirror", "read-mirror") // the one of 2.0
	p.wantMoved(t, map[string]string{"/docs/mirrors/2.0/get-mirror": "/docs/mirrors/2.0/read-mirror"})
	if w := p.ask("GET", "/docs/mirrors/1.0/get-mirror"); w.Code != http.StatusOK {
		t.Errorf("the same slug of another version answers %d", w.Code)
	}

	p.move(t, content.KindGuide, "mirrors", "begin", "start")
	p.wantMoved(t, map[string]string{"/productguide/mirrors/begin": "/productguide/mirrors/start"})

	p.move(t, content.KindVersion, "mirrors", "2.0", "2.1")
	p.wantMoved(t, map[string]string{
		"/docs/mirrors/2.0":                "/docs/mirrors/2.1",
		"/docs/mirrors/2.0/read-mirror":    "/docs/mirrors/2.1/read-mirror",
		"/docs/mirrors/2.0/get-mirror":     "/docs/mirrors/2.1/read-mirror",
		"/docs/mirrors/2.0/schemas/Mirror": "/docs/mirrors/2.1/schemas/Mirror",
	})

	p.move(t, content.KindProduct, "", "mirrors", "glass")
	p.wantMoved(t, map[string]string{
		"/docs/mirrors":                    "/docs/glass",
		"/docs/mirrors/1.0":                "/docs/glass/1.0",
		"/docs/mirrors/1.0/get-mirror":     "/docs/glass/1.0/get-mirror",
		"/docs/mirrors/2.0/get-mirror":     "/docs/glass/2.1/read-mirror",
		"/docs/mirrors/2.1/read-mirror":    "/docs/glass/2.1/read-mirror",
		"/docs/mirrors/2.0/schemas/Mirror": "/docs/glass/2.1/schemas/Mirror",
		"/productguide/mirrors/begin":      "/productguide/glass/start",
		"/productguide/mirrors/start":      "/productguide/glass/start",
	})
	for _, path := range []string{"/docs/mirrors/2.0/nothing", "/docs/mirrors/9.9", "/docs/mirrors/1.0/schemas/Nothing", "/productguide/mirrors/nothing", "/docs/tin"} {
		if w := p.ask("GET", path); w.Code != http.StatusNotFound {
			t.Errorf("%s answers %d with %q", path, w.Code, w.Header().Get("Location"))
		}
	}

	// Another product takes the old address.
	p.release(t, editorial.Import{ProductSlug: "tin", Product: content.Product{Name: "Tin"}}, "")
	p.move(t, content.KindProduct, "", "tin", "mirrors")
	if w := p.ask("GET", "/docs/mirrors"); w.Code != http.StatusOK {
		t.Errorf("the address of the new product answers %d with %q", w.Code, w.Header().Get("Location"))
	}
	p.wantMoved(t, map[string]string{"/docs/tin": "/docs/mirrors"})
}

// A process that starts after the moves redirects as one that saw them.
func TestOldAddressesRedirectAfterRestart(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	p.move(t, content.KindEndpoint, "2.0", "get-mirror", "read-mirror")
	p.move(t, content.KindProduct, "", "mirrors", "glass")
	p.restart(t)
	p.wantMoved(t, map[string]string{"/docs/mirrors/2.0/get-mirror": "/docs/glass/2.0/read-mirror"})
}
