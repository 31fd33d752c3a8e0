package reader_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi/model"
)

var update = flag.Bool("update", false, "write the golden files again")

// The text of a page is kept beside the test, to be read.
func TestPagesAsMarkdown(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	for path, golden := range map[string]string{
		"/docs/mirrors":                    "product.md",
		"/docs/mirrors/1.0":                "version.md",
		"/docs/mirrors/2.0/get-mirror":     "endpoint.md",
		"/docs/mirrors/2.0/schemas/Mirror": "schema.md",
	} {
		w := p.ask("GET", path+".md")
		if h := w.Header(); w.Code != 200 || h.Get("Content-Type") != "text/markdown; charset=UTF-8" || h.Get("X-Robots-Tag") != "noindex" || h.Get("Etag") == "" {
			t.Fatalf("%s.md answers %d, %v", path, w.Code, h)
		}
		got := w.Body.String()
		if *update {
			if err := os.WriteFile("testdata/"+golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(contract(t, golden), got); diff != "" {
			t.Errorf("%s.md (-want +got)\n%s", path, diff)
		}
	}
	if w := p.ask("GET", "/docs/mirrors/2.0/get-mirror.md?lang=go"); !strings.Contains(w.Body.String(), "## Example in Go") {
		t.Error("the language is not the one asked for")
	}
	for _, path := range []string{"/docs/mirrors/2.0/lens.md", "/docs/lenses.md", "/docs/lamps/1.0.md", "/docs/mirrors.md.md"} {
		if w := p.ask("GET", path); w.Code != 404 {
			t.Errorf("%s answers %d", path, w.Code)
		}
	}
}

// Every page of the reference and every guide says where its text is, and the
// text names every field.
func TestEveryPageAsMarkdown(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	for path, doc := range crawl(t, p) {
		at := doc.Find(`link[rel=alternate][type="text/markdown"]`).AttrOr("href", "")
		if reference := path == "/mcp-setup" || strings.HasPrefix(path, "/docs/") || strings.HasPrefix(path, "/productguide/"); reference != (strings.Split(at, "?")[0] == path+".md") {
			t.Errorf("%s has its text at %q", path, at)
		}
		if at == "" {
			continue
		}
		if w := p.ask("GET", at); w.Code != 200 || !strings.HasPrefix(w.Body.String(), "# ") {
			t.Errorf("%s answers %d, %.40q", at, w.Code, w.Body)
		}
	}
	for _, product := range p.documentation.Snapshot().Products {
		for _, v := range product.Versions {
			for _, e := range v.Operations() {
				path := "/docs/" + product.Slug + "/" + v.Slug + "/" + e.Slug + ".md"
				checkText(t, path, p.ask("GET", path).Body.String(), compile(t, v, e))
			}
		}
	}
}

// fenced is a block of code. Its lines are no headings.
var fenced = regexp.MustCompile("(?s)```.*?```")

func checkText(t *testing.T, path, text string, e *model.Endpoint) {
	t.Helper()
	if !strings.HasPrefix(text, "# "+e.Name+"\n") || strings.Count(fenced.ReplaceAllString(text, ""), "\n# ") > strings.Count(e.Purpose, "\n# ") {
		t.Errorf("%s begins %.40q", path, text)
	}
	for f := range e.Fields() {
		if f.Name != "" && !strings.Contains(text, "`"+f.Name+"`") {
			t.Errorf("%s does not name %s", path, f.Path)
		}
	}
	for _, r := range e.Responses {
		if !strings.Contains(text, "### "+r.Status) {
			t.Errorf("%s does not have the answer %s", path, r.Status)
		}
	}
}
