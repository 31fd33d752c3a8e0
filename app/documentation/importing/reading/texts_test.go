package reading

import (
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
)

// Words that YAML could take for something else stay texts, when they come in and when
// they go out again.
func TestTextsStayTexts(t *testing.T) {
	t.Parallel()
	const schema = `{type: object, properties: {a: {type: string, enum: [NO, "no", on, "null"], example: "015711521886"}, day: {type: string, example: "2017-01-01"}}}`
	for name, text := range map[string]string{
		"openapi": "openapi: 3.0.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {responses: {200: {description: OK, content: {application/json: {schema: " + schema + "}}}}}}}",
		"swagger": swaggerHead + "paths: {/a: {get: {produces: [application/json], responses: {200: {description: OK, schema: " + schema + "}}}}}",
	} {
		r, op := read(t, text)
		assembled, err := openapi.Assemble(r.Document.Parts)
		if err != nil {
			t.Fatal(err)
		}
		again, err := tree.Read(assembled.Root.JSON())
		if err != nil {
			t.Fatal(err)
		}
		for at, n := range map[string]*tree.Node{"/responses/200/content/application~1json/schema/properties": op, "/paths/~1a/get/responses/200/content/application~1json/schema/properties": again} {
			properties := n.At(at)
			for pointer, want := range map[string]string{"/a/enum/0": "NO", "/a/enum/1": "no", "/a/enum/2": "on", "/a/enum/3": "null"} {
				if v := properties.At(pointer); !v.Is(tree.KindString) || v.Display() != want {
					t.Errorf("%s: %s is %s, want the text %s", name, pointer, v.Display(), want)
				}
			}
			for _, field := range []string{"/a", "/day"} {
				v := properties.At(field + "/examples/0")
				if v == nil {
					v = properties.At(field + "/example")
				}
				if !v.Is(tree.KindString) {
					t.Errorf("%s: the example of %s is no text: %s", name, field, v.Display())
				}
			}
		}
	}
}

// Beside a reference, Swagger documents say that null is allowed. A parameter without a
// type is a text, because that is how it is sent.
func TestSwaggerSaysMoreThanItMay(t *testing.T) {
	t.Parallel()
	r, op := read(t, swaggerHead+`
paths:
  /pets:
    get:
      parameters: [{name: kind, in: query}]
      responses: {200: {description: OK, schema: {type: object, properties: {owner: {$ref: '#/definitions/Owner', x-nullable: true, readOnly: true, description: Who has it}}}}}
definitions: {Owner: {type: object}}
`)
	owner := "/responses/200/content/application~1json/schema/properties/owner"
	check(t, op, map[string]string{"/parameters/0/schema/type": "string", owner + "/anyOf/0/$ref": "#/components/schemas/Owner", owner + "/anyOf/1/type": "null", owner + "/readOnly": "true", owner + "/description": "Who has it"})
	if len(r.Found.All) == 0 || r.Found.All[0].Line == 0 {
		t.Errorf("the findings are %v", r.Found.All)
	}
}
