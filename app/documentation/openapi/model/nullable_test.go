package model_test

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/spectest"
)

// A field says that it may be null wherever that is written: at the field, behind
// references, in a choice or among the values.
func TestNullable(t *testing.T) {
	t.Parallel()
	for version, schemas := range map[string]string{
		"3.1.0": `{"Plain": {"type": "string"}, "Open": {"type": ["string", "null"]}, "Chain": {"$ref": "#/components/schemas/Open"}, "Choice": {"anyOf": [{"$ref": "#/components/schemas/Plain"}, {"type": "null"}]}}`,
		"3.0.3": `{"Plain": {"type": "string"}, "Open": {"type": "string", "nullable": true}, "Chain": {"$ref": "#/components/schemas/Open"}, "Choice": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/Plain"}]}}`,
	} {
		ref := func(name string) string { return `{"$ref": "#/components/schemas/` + name + `"}` }
		cases := []struct {
			schema string
			want   bool
		}{
			{ref("Plain"), false},
			{ref("Open"), true},
			{ref("Chain"), true},
			{ref("Choice"), true},
			{`{"allOf": [` + ref("Open") + `]}`, true},
			{`{"allOf": [` + ref("Plain") + `], "description": "D"}`, false},
			{`{"oneOf": [` + ref("Chain") + `]}`, true},
			{`{"type": "array", "items": ` + ref("Open") + `}`, false}, // each item may be, the list is there
		}
		if version == "3.1.0" {
			cases = append(cases, []struct {
				schema string
				want   bool
			}{
				{`{"$ref": "#/components/schemas/Open", "description": "D"}`, true},
				{`{"anyOf": [` + ref("Plain") + `, {"type": "null"}]}`, true},
				{`{"oneOf": [{"const": null}, ` + ref("Plain") + `]}`, true},
				{`{"enum": ["a", null]}`, true},
				{`{"type": "string", "enum": ["a", "null"]}`, false},
			}...)
		}
		var properties []string
		for i, c := range cases {
			properties = append(properties, fmt.Sprintf(`"f%02d": %s`, i, c.schema))
		}
		document := `{"openapi": "` + version + `", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"post": {"operationId": "a", "tags": ["A"],
			"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {` + strings.Join(properties, ", ") + `}}}}},
			"responses": {"200": {"description": "ok"}}}}}, "components": {"schemas": ` + schemas + `}}`
		fields := spectest.Compile(t, []byte(document)).Categories[0].Endpoints[0].Bodies[0].Root.Children
		if len(fields) != len(cases) {
			t.Fatalf("%s: %d fields, want %d", version, len(fields), len(cases))
		}
		for i, f := range fields {
			if f.Nullable != cases[i].want {
				t.Errorf("%s: %s may be null: %v, want %v", version, cases[i].schema, f.Nullable, cases[i].want)
			}
		}
	}
}
