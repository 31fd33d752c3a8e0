package validate_test

import (
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/validate"
)

// Pages say that validation is off exactly for the operations with a schema that is not
// run.
func TestPagesKnowWhatIsNotChecked(t *testing.T) {
	t.Parallel()
	documents := append(corpus.Seeds(t), corpus.Real(t)...)
	for _, schemas := range []string{
		ladder(60, "allOf"), ladder(60, "oneOf"), ladder(5, "allOf"), ladder(12, "anyOf"), ladder(13, "anyOf"),
		`"X":{"allOf":[{"$ref":"#/components/schemas/X"}]}`, `"X":{"properties":{"x":{"$ref":"#/components/schemas/X"}}}`, `"X":{"$id":"http://localhost/x","type":"string"}`,
		`"X":{"$dynamicRef":"#a","$dynamicAnchor":"a"}`, `"X":{"items":{"not":{"$ref":"#/components/schemas/Y"}}},"Y":{"if":{"$ref":"#/components/schemas/Y"}}`,
		`"X":{"$ref":"#/components/schemas/None"}`, `"X":{"$defs":{"unused":{"$id":"http://localhost/x"}}}`,
	} {
		documents = append(documents, corpus.Document{Name: schemas[:min(len(schemas), 60)], Data: []byte(corpus.WithSchemas(strings.ReplaceAll(strings.ReplaceAll(schemas, `"X"`, `"A0"`), "schemas/X\"", "schemas/A0\"")))})
	}
	off := 0
	for _, d := range documents {
		read, err := openapi.Read(d.Data)
		if err != nil {
			continue // a version that is not read here
		}
		a, err := openapi.Assemble(read.Parts)
		if err != nil {
			t.Fatal(d.Name, err)
		}
		api, err := model.Compile(read.Parts)
		if err != nil {
			t.Fatal(d.Name, err)
		}
		rules := validate.New(a)
		for _, c := range api.Categories {
			for _, e := range c.Endpoints {
				warnings, err := rules.Warnings(e.ID)
				if err != nil {
					t.Fatal(d.Name, err)
				}
				want := slices.ContainsFunc(warnings, func(w validate.Warning) bool { return strings.HasPrefix(w.Message, "The schema is not checked") })
				if e.Unchecked != want {
					t.Errorf("%s: the page of %s says that validation is off: %t, and it is: %v", d.Name, e.ID, e.Unchecked, warnings)
				}
				if want {
					off++
				}
			}
		}
	}
	if off == 0 {
		t.Error("validation is off for nothing")
	}
	t.Logf("validation is off for %d operations", off)
}
