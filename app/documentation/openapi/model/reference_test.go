package model_test

import (
	"testing"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/spectest"
)

// A field shows the schema that a reference names by its anchor, as it does for
// one named by its place.
func TestFieldsOfAnchoredSchemas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schemas, named, recursive string }{
		{`"A0":{"properties":{"b":{"$ref":"#thing"}}},"B":{"$anchor":"thing","properties":{"c":{"type":"string"}}}`, "B", ""},
		{`"A0":{"properties":{"b":{"$dynamicRef":"#thing"}}},"B":{"$dynamicAnchor":"thing","properties":{"c":{"type":"string"}}}`, "B", ""},
		{`"A0":{"properties":{"b":{"$ref":"#inner"}},"$defs":{"x":{"$anchor":"inner","properties":{"c":{"type":"string"}}}}}`, "", ""},
		{`"A0":{"$dynamicAnchor":"self","properties":{"b":{"$dynamicRef":"#self"},"c":{"type":"string"}}}`, "A0", "A0"},
	} {
		api := spectest.Compile(t, []byte(corpus.WithSchemas(c.schemas)))
		b := spectest.Endpoint(t, api, "postA").Bodies[0].Root.Children[0]
		if b.Schema != c.named || b.Recursive != c.recursive {
			t.Errorf("%s: the field shows %q and repeats %q, want %q and %q", c.schemas, b.Schema, b.Recursive, c.named, c.recursive)
		}
		if c.recursive == "" && (len(b.Children) != 1 || b.Children[0].Path != "body.b.c" || b.Type != "object") {
			t.Errorf("%s: the field is %+v", c.schemas, b)
		}
	}
}
