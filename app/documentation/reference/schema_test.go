package reference_test

import (
	"strings"
	"testing"

	"heliograph/app/documentation/reference"
)

// What a schema page shows is cut from the examples of operations. Nothing made up
// from a type alone is shown.
func TestSchemaExamplesAreReal(t *testing.T) {
	t.Parallel()
	site := reference.Site{URL: "https://portal.example.com"}
	shown, all := 0, 0
	for _, p := range seeded(t).Products {
		for _, v := range p.VisibleVersions() {
			for _, name := range v.Schemas {
				text, err := site.Schema(t.Context(), reference.Place{Product: p, Version: v}, name)
				if err != nil {
					t.Fatal(err)
				}
				_, example, has := strings.Cut(text, "## Example")
				all++
				if has {
					shown++
				}
				if strings.Contains(example, `"string"`) {
					t.Errorf("%s %s %s shows a made-up text:\n%s", p.Slug, v.Slug, name, example)
				}
			}
		}
	}
	t.Logf("%d of %d schemas have an example", shown, all)
	if shown*10 < all*7 {
		t.Errorf("%d of %d schemas have an example, want most of them", shown, all)
	}
}
