package prepare

import (
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
)

// Links that work only in viewers with one long page lead to the pages of the version,
// and those to nothing become text.
func TestLinksOfViewers(t *testing.T) {
	t.Parallel()
	r, err := Prepare(Request{Place: "/docs/pets/1.0", Data: []byte(`
openapi: 3.1.0
info: {title: Pets, version: '1', description: "## How to sign in\n\nSee [listing](#operation/listPets), [the pets](#tag/Our%20pets), [signing in](#section/How-to-sign-in), [nothing](#operation/none), [the pet](#schema/Pet), [out](https://example.com/#operation/listPets)."}
tags: [{name: Our pets, description: 'One: [list](#tag/Our-pets/operation/listPets)'}]
paths:
  /pets: {get: {operationId: listPets, tags: [Our pets], description: 'Not [this](#operation/getPet "A pet")', responses: {'200': {description: 'A [pet](#operation/getPet)'}}}}
  /pets/{id}: {get: {operationId: getPet, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: OK}}}}
components: {schemas: {Pet: {type: object}}}
`)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := string(r.Converted)
	for _, want := range []string{
		"[listing](/docs/pets/1.0/list-pets)", "[the pets](/docs/pets/1.0)", "[signing in](/docs/pets/1.0#about-how-to-sign-in)", "See ", ", nothing,", "[the pet](/docs/pets/1.0/schemas/pet)",
		"[out](https://example.com/#operation/listPets)", "[list](/docs/pets/1.0/list-pets)", "A [pet](/docs/pets/1.0/get-pet)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing:\n%s", want, text)
		}
	}
	var kept, led bool
	for _, f := range r.Findings {
		kept = kept || strings.Contains(f.Message, "#operation/none")
		led = led || strings.Contains(f.Message, "6 of them")
	}
	if !kept || !led {
		t.Errorf("the findings are %v", r.Findings)
	}
	d, err := openapi.Read(r.Converted)
	if err != nil || len(d.Operations) != 2 {
		t.Errorf("what was written is read with %v", err)
	}
}
