package reference_test

import (
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/model"
)

// The text of a field says nothing that stands beside it in any case: its only value.
func TestFieldsSayTheirOnlyValueOnce(t *testing.T) {
	t.Parallel()
	fixed := 0
	check := func(at string, f *model.Field) {
		t.Helper()
		if f == nil {
			return
		}
		for inner := range f.Fields() {
			only := ""
			if len(inner.Enum) == 1 {
				only = inner.Enum[0]
			}
			for _, c := range inner.Constraints {
				if value, is := strings.CutPrefix(c, "always "); is {
					only = value
				}
			}
			if only == "" {
				continue
			}
			fixed++
			text := strings.NewReplacer("`", "", `"`, "").Replace(inner.Description)
			if strings.Contains(strings.ToLower(text), "always "+strings.ToLower(strings.Trim(only, `"`))) {
				t.Errorf("%s: %s is %q, which stands beside it", at, inner.Path, inner.Description)
			}
		}
	}
	for _, p := range seeded(t).Products {
		for _, v := range p.VisibleVersions() {
			api, err := v.Compile(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range slices.Concat(api.Categories, api.Callbacks) {
				for _, e := range c.Endpoints {
					for _, g := range e.Parameters {
						for _, f := range g.Fields {
							check(v.Slug+" "+e.ID, f)
						}
					}
					bodies := e.Bodies
					for _, r := range e.Responses {
						bodies = append(bodies[:len(bodies):len(bodies)], r.Bodies...)
					}
					for _, b := range bodies {
						check(v.Slug+" "+e.ID, b.Root)
					}
				}
			}
		}
	}
	if fixed < 100 {
		t.Errorf("only %d fields of one value were found", fixed)
	}
}
