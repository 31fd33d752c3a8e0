package reader

import (
	"strings"
	"testing"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// A release of one product keeps the renderings of others: they are the same
// contents, not equal ones. What shows several products is made again.
func TestReleaseKeepsRenderings(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := New(Deps{Documentation: published.New(pool, db.NewListener(pool)), PublicURL: "https://docs.example.com"})
	publish := func(slug, summary string) {
		t.Helper()
		im := editorial.Import{ProductSlug: slug}
		im.Product.Name, im.Product.Summary, im.Product.Homepage = strings.ToUpper(slug), summary, true
		set, err := editorial.Draft(t.Context(), pool, editorial.System, im)
		if err == nil {
			err = editorial.Publish(t.Context(), pool, editorial.System, set, true)
		}
		if err == nil {
			err = p.documentation.Refresh(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	content := func(path string) any {
		t.Helper()
		s := p.site()
		src, ok := s.find(path)
		if !ok {
			t.Fatalf("there is no page at %s", path)
		}
		c, err := p.content(t.Context(), s, src, key{path: path})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	publish("lamps", "Light.")
	publish("flags", "Cloth.")
	before := map[string]any{}
	for _, path := range []string{"/", "/sitemap.xml", "/productguide", "/docs/lamps", "/docs/lamps.md", "/docs/flags"} {
		before[path] = content(path)
	}
	publish("flags", "Coloured cloth.")
	for path, stays := range map[string]bool{"/": false, "/sitemap.xml": false, "/productguide": true, "/docs/lamps": true, "/docs/lamps.md": true, "/docs/flags": false} {
		if same := content(path) == before[path]; same != stays {
			t.Errorf("%s is the same rendering: %v, want %v", path, same, stays)
		}
	}
}
