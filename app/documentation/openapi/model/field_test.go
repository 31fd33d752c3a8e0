package model_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/spectest"
)

// A field has the type of its variants, however they refer to each other.
func TestTypesOfVariants(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"anyOf":[{"$ref":"#/components/schemas/A0"},{"type":"string"}]}`:                         "any",
		`{"oneOf":[{"anyOf":[{"type":"string"},{"type":"integer"}]},{"type":"boolean"}]}`:          "string or integer or boolean",
		`{"anyOf":[{"anyOf":[{"$ref":"#/components/schemas/A0"}]},{"type":"array","items":true}]}`: "any",
	} {
		api := spectest.Compile(t, []byte(corpus.WithSchemas(`"A0":`+schema)))
		if diff := cmp.Diff(want, spectest.Endpoint(t, api, "postA").Bodies[0].Root.Type); diff != "" {
			t.Errorf("%s (-want +got):\n%s", schema, diff)
		}
	}
}

// Variants are numbered when their titles have no letters for an address.
func TestAddressesOfVariants(t *testing.T) {
	t.Parallel()
	api := spectest.Compile(t, []byte(corpus.WithSchemas(`"A0":{"oneOf":[{"title":"…","type":"object","properties":{"a":{"type":"string"}}},{"title":"By post","type":"object","properties":{"b":{"type":"string"}}},{"title":"—","type":"object","properties":{"c":{"type":"string"}}},{"title":"By post","type":"object","properties":{"d":{"type":"string"}}}]}`)))
	var slugs []string
	for _, v := range spectest.Endpoint(t, api, "postA").Bodies[0].Root.Variants {
		slugs = append(slugs, v.Slug)
	}
	if diff := cmp.Diff([]string{"form-1", "by-post", "form-3", "by-post-2"}, slugs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A variant without a title has the name that the discriminator gives it, and else
// its schema's.
func TestNamesOfVariants(t *testing.T) {
	t.Parallel()
	const parts = `"Wick":{"type":"object","properties":{"kind":{"type":"string"},"a":{"type":"string"}}},"Glass":{"type":"object","properties":{"kind":{"type":"string"},"b":{"type":"string"}}},` +
		`"A0":{"oneOf":[{"$ref":"#/components/schemas/Wick"},{"$ref":"#/components/schemas/Glass"}]`
	for mapping, want := range map[string]string{
		`,"discriminator":{"propertyName":"kind","mapping":{"glass":"#/components/schemas/Glass","wick":"#/components/schemas/Wick"}}`: "wick glass",
		`,"discriminator":{"propertyName":"kind","mapping":{"pane":"#/components/schemas/Glass"}}`:                                     "Wick pane",
		``: "Wick Glass",
	} {
		api := spectest.Compile(t, []byte(corpus.WithSchemas(parts+mapping+`}`)))
		var names []string
		for _, v := range spectest.Endpoint(t, api, "postA").Bodies[0].Root.Variants {
			names = append(names, v.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("with %q the variants are %q, want %q", mapping, got, want)
		}
	}
}

// Members of any name are listed where there is more to say of them than a type.
func TestMembersOfAnyName(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]int{
		`{"type":"string"}`: 0, `{"enum":["a","b"]}`: 1, `{"type":"string","maxLength":3}`: 1, `{"type":"string","description":"A word."}`: 1,
		`{"type":"object","properties":{"a":{"type":"string"}}}`: 1,
		`{"oneOf":[{"title":"One","type":"object","properties":{"a":{"type":"string"}}},{"title":"Two","type":"object","properties":{"b":{"type":"string"}}}]}`: 1,
	} {
		api := spectest.Compile(t, []byte(corpus.WithSchemas(`"A0":{"type":"object","additionalProperties":`+member+`}`)))
		if n := len(spectest.Endpoint(t, api, "postA").Bodies[0].Root.Children); n != want {
			t.Errorf("%s: %d members, want %d", member, n, want)
		}
	}
}

// The examples of requests and responses count for the memory of an endpoint.
func TestExamplesHaveASize(t *testing.T) {
	t.Parallel()
	size := func(request, response string) int {
		api := spectest.Compile(t, []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":{"operationId":"postA",
			"requestBody":{"content":{"application/json":{"example":"`+request+`"}}},
			"responses":{"200":{"description":"ok","content":{"application/json":{"example":"`+response+`"}}}}}}}}`))
		return spectest.Endpoint(t, api, "postA").Size(100)
	}
	long := strings.Repeat("x", 1000)
	if least, request, response := size("x", "x"), size(long, "x"), size("x", long); request-least < 999 || response-least < 999 {
		t.Errorf("%d bytes without examples, %d with one of 1,000 in the request, %d in the response", least, request, response)
	}
}
