package published_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// What changed between two versions is the same whether or not what is unchanged is
// read, and what is unchanged is left out where it can be.
func TestChangesTellWhatAComparisonTells(t *testing.T) {
	t.Parallel()
	const first = "paths:\n"
	for name, c := range map[string]struct {
		old, new string
		brief    bool // leaves endpoints out
	}{
		"nothing":            {first, first, true},
		"an endpoint":        {"summary: Get A", "summary: Get A again", true},
		"one more, at first": {first, first + "  /0: {get: {operationId: get0, summary: Get 0, responses: {\"200\": {description: ok}}}}\n", true},
		"one less":           {"  /b:\n    get: {operationId: getB, summary: Get B, responses: {\"200\": {description: ok}}}\n", "", true},
		"another path":       {"/b:", "/b/renewed:", true},
		"another id":         {"operationId: getB", "operationId: fetchB", true},
		"a callback":         {"summary: Lit", "summary: Is lit", true},
		"the address":        {"info:", "servers: [{url: https://api.example.com}]\ninfo:", true},
		"the title":          {"title: History", "title: Story", true},
		"a shared parameter": {"type: integer", "type: string", true},
		"a schema":           {"maxLength: 20", "maxLength: 10", true},
		"one more schema":    {"  schemas: {", "  schemas: {Shade: {type: string}, ", true},
		"one schema less":    {"  schemas: {Lamp: {type: object, properties: {name: {type: string, maxLength: 20}}}}\n", "  schemas: {Lamp2: {type: string}}\n", true},
		"credentials of all": {"security: [{key: []}]", "security: [{key: []}, {}]", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(history, c.old) {
				t.Fatalf("the document has no %s", c.old)
			}
			pool := dbtest.Pool(t)
			for version, text := range map[string]string{"1.0": history, "2.0": strings.Replace(history, c.old, c.new, 1)} {
				document, err := openapi.Read([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				im := editorial.Import{ProductSlug: "letters", Product: content.Product{Name: "Letters"}, VersionSlug: version, Version: content.Version{Label: "Current"}, Document: document}
				set, err := editorial.Draft(t.Context(), pool, editorial.System, im)
				if err == nil {
					err = editorial.Publish(t.Context(), pool, editorial.System, set, true)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			known := published.New(pool, db.NewListener(pool))
			if err := known.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			letters := known.Snapshot().Product("letters")
			brief, err := letters.Version("2.0").Changes(t.Context(), letters.Version("1.0"))
			if err != nil {
				t.Fatal(err)
			}
			whole, err := letters.Version("2.0").Compare(t.Context(), letters.Version("1.0"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(changed(whole), changed(brief)); diff != "" {
				t.Errorf("(-whole +brief):\n%s", diff)
			}
			if whole.Levels != brief.Levels {
				t.Errorf("the levels are %+v, want %+v", brief.Levels, whole.Levels)
			}
			if left := len(whole.Operations) > len(brief.Operations); left != c.brief {
				t.Errorf("%d of %d operations are compared", len(brief.Operations), len(whole.Operations))
			}
			if again, err := letters.Version("2.0").Changes(t.Context(), letters.Version("1.0")); err != nil || again != whole {
				t.Errorf("what is known already is compared again: %v", err)
			}
		})
	}
}
