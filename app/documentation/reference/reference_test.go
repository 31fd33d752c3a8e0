package reference_test

import (
	"strings"
	"testing"

	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/db"
)

var site = reference.Site{URL: "https://docs.example.com"}

// seeded returns the first documentation.
func seeded(t *testing.T) *published.Snapshot {
	t.Helper()
	pool := seedtest.Pool(t)
	c := published.New(pool, db.NewListener(pool))
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c.Snapshot()
}

// Every page of the seed is written without a web server, and its links are
// absolute.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	check := func(name, text, title string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.HasPrefix(text, "# "+title+"\n\n") {
			t.Errorf("%s: the text begins %.80q", name, text)
		}
		for line := range strings.Lines(text) {
			if _, link, ok := strings.Cut(line, "]("); ok && strings.HasPrefix(line, "- [") && strings.Contains(line, "): ") && !strings.HasPrefix(link, "https://") {
				t.Errorf("%s: the link of %q has no host", name, line)
			}
		}
	}
	operations := 0
	for _, p := range seeded(t).Products {
		check(p.Slug, site.Product(p), p.Name, nil)
		for _, g := range p.VisibleGuides() {
			if text := site.Guide(p, g); !strings.HasPrefix(text, "# "+g.Title+"\n\n") || !strings.Contains(text, site.URL+reference.GuidePath(p, g)) {
				t.Errorf("%s: the text begins %.80q", g.Slug, text)
			}
		}
		for _, v := range p.VisibleVersions() {
			at := reference.Place{Product: p, Version: v}
			text, err := site.Version(t.Context(), at)
			check(at.Path(), text, at.Name(), err)
			for _, op := range v.Operations() {
				operations++
				text, err := site.Operation(t.Context(), at, op, reference.Choice{})
				check(at.Operation(op), text, op.Name, err)
			}
			for _, name := range v.Schemas {
				text, err := site.Schema(t.Context(), at, name)
				check(at.Schema(name), text, name, err)
			}
		}
	}
	if operations < 50 {
		t.Errorf("only %d operations were written", operations)
	}
}

// The language of a sample is the one that was chosen.
func TestOperationWritesTheChosenSample(t *testing.T) {
	t.Parallel()
	p := seeded(t).Products[0]
	at := reference.Place{Product: p, Version: p.Latest()}
	for i, language := range sample.Languages() {
		text, err := site.Operation(t.Context(), at, at.Version.Endpoints()[0], reference.Choice{Language: i})
		if err != nil || !strings.Contains(text, "## Example in "+language.Name+"\n\n```"+language.Syntax+"\n") {
			t.Errorf("%s: %v, %.300s", language.Name, err, text)
		}
	}
}

// An unknown schema is an error, not an empty page.
func TestSchemaThatIsUnknown(t *testing.T) {
	t.Parallel()
	p := seeded(t).Products[0]
	if text, err := site.Schema(t.Context(), reference.Place{Product: p, Version: p.Latest()}, "Nothing"); err == nil {
		t.Errorf("wrote %q", text)
	}
}

func TestServer(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://api.example.com/v1/":   "https://api.example.com/v1",
		"http://localhost:8080/v3":      "https://docs.example.com/v3",
		"/v3":                           "https://docs.example.com/v3",
		"https://localhost.example.com": "https://localhost.example.com",
	} {
		if got := site.Server(raw); got != want {
			t.Errorf("%s is shown as %s, want %s", raw, got, want)
		}
	}
}
