package model_test

import (
	"testing"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/spectest"

	"github.com/google/go-cmp/cmp"
)

// TestConditions puts keywords in words that narrow a schema by another one.
func TestConditions(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string][]string{
		`{"type":"object","if":{"properties":{"kind":{"const":"card"}}},"then":{"required":["number"]},"else":{"required":["iban","bic"]}}`: {
			"if kind is card, then needs number", "unless kind is card, needs iban and bic"},
		`{"allOf":[{"if":{"required":["a"]},"then":{"maxProperties":2}},{"if":{"properties":{"b":{"enum":[1,2]}},"required":["b"]},"then":{"properties":{"c":false}}}]}`: {
			"if a is there, then at most 2 members", "if b is 1 or 2, then no c"},
		`{"if":{"properties":{"a":{"minimum":3}}},"then":{"required":["b"]}}`:      {"if a: minimum 3, then needs b"},
		`{"not":{"required":["a","b"]}}`:                                           {"not a and b together"},
		`{"not":{"required":["a"]}}`:                                               {"without a"},
		`{"not":{"type":"string"}}`:                                                {"not string"},
		`{"type":"string","not":{"pattern":"^x"}}`:                                 {"not: matches ^x"},
		`{"not":{"const":7}}`:                                                      {"not: always 7"},
		`{"type":"object","dependentSchemas":{"a":{"minProperties":2}}}`:           {"with a: at least 2 members"},
		`{"type":"object","dependentRequired":{"a":["b","c"]}}`:                    {"a needs b and c"},
		`{"type":"object","unevaluatedProperties":false}`:                          {"no other members"},
		`{"type":"array","unevaluatedItems":false,"contains":{"type":"integer"}}`:  {"at least 1 item of the form: integer", "no other items"},
		`{"type":"array","contains":{"const":1},"minContains":2,"maxContains":3}`:  {"2 to 3 items of the form: always 1"},
		`{"type":"object","propertyNames":{"maxLength":9}}`:                        {"each key: at most 9 characters"},
		`{"if":{"$ref":"#/components/schemas/A0"},"then":{"minimum":1},"else":{}}`: {"if a condition holds, then minimum 1", "unless a condition holds, another schema"},
	} {
		api := spectest.Compile(t, []byte(corpus.WithSchemas(`"A0":`+schema)))
		if diff := cmp.Diff(want, spectest.Endpoint(t, api, "postA").Bodies[0].Root.Constraints); diff != "" {
			t.Errorf("%s (-want +got):\n%s", schema, diff)
		}
	}
}
