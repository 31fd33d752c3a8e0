package reader_test

import (
	"net/http"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial"
)

// A version that cannot be read answers with a page that says so, and all other
// pages stay.
func TestBrokenVersion(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	if _, err := p.pool.Exec(t.Context(), `
		with v as (select id, parent_id from items where kind = 'version' and slug = '1.0' and parent_id = (select id from items where slug = 'mirrors')),
		r as (insert into revisions (item_id, number, content, content_hash)
			select id, 9, '{"frame": 3}', decode(repeat('11', 32), 'hex') from v returning id, item_id),
		rel as (insert into releases (product_id, scope_id, number) select parent_id, id, 9 from v returning id)
		insert into release_items (release_id, item_id, revision_id) select rel.id, r.item_id, r.id from rel, r`); err != nil {
		t.Fatal(err)
	}
	p.refresh(t)
	for _, path := range []string{"/docs/mirrors/1.0", "/docs/mirrors/1.0/flash", "/docs/mirrors/1.0/schemas/Mirror"} {
		doc := p.parse(t, path, http.StatusServiceUnavailable)
		if got := said(doc.Find("main")); !strings.Contains(got, "This page cannot be shown") || !strings.Contains(got, "Go to Mirrors") {
			t.Errorf("%s says %q", path, got)
		}
		if w := p.ask("GET", path); w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be cached: %v", path, w.Header())
		}
	}
	for path, doc := range crawl(t, p) {
		if doc.Find(`a[href^="/docs/mirrors/1.0"]`).Length() > 0 {
			t.Errorf("%s leads to a version that cannot be shown", path)
		}
	}
	p.page(t, "/docs/mirrors/2.0/get-mirror")
}

// Publishing one product keeps the pages of others as they are.
func TestReleaseKeepsOtherPages(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	im := editorial.Import{ProductSlug: "lenses"}
	im.Product.Name = "Lenses"
	p.release(t, im, "")
	const other = "/docs/mirrors/2.0/get-mirror"
	tag := p.ask("GET", other).Header().Get("Etag")
	made := p.ask("GET", "/docs/lenses").Header().Get("Etag")
	im.Product.Summary = "They bend light."
	p.release(t, im, "")
	if w := p.ask("GET", other, "If-None-Match", tag); w.Code != http.StatusNotModified {
		t.Errorf("another product's page changed: %d", w.Code)
	}
	if w := p.ask("GET", "/docs/lenses", "If-None-Match", made); w.Code != http.StatusOK {
		t.Errorf("the page that was published stayed: %d", w.Code)
	}
}
