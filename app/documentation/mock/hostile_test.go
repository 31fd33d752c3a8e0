package mock

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Schemas that would take more than bounded effort are not run, and the answer says so.
func TestHostileSchemasAreNotRun(t *testing.T) {
	t.Parallel()
	var ladder strings.Builder
	for i := range 60 {
		fmt.Fprintf(&ladder, "    X%d: {anyOf: [{$ref: '#/components/schemas/X%d'}, {$ref: '#/components/schemas/X%d'}]}\n", i, i+1, i+1)
	}
	e := newTestEngine(t, `
openapi: 3.1.0
info: {title: Hostile, version: "1"}
paths:
  /ladder:
    post:
      operationId: climb
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/X0'}}}}
      responses: {"200": {description: ok, content: {application/json: {example: {up: true}}}}}
  /flat:
    post:
      operationId: walk
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {"200": {description: ok, content: {application/json: {example: {up: false}}}}}
components:
  schemas:
`+ladder.String()+"    X60: {type: string}\n")
	for line, isChecked := range map[string]bool{"POST /ladder": false, "POST /flat": true} {
		began := time.Now()
		a := e.answer(request(line, `{"anything":["at","all"]}`))
		if a.Status != 200 || a.IsChecked != isChecked || strings.Contains(a.explain(), "validation=off") == isChecked {
			t.Errorf("%s gives %d: %s", line, a.Status, a.explain())
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s takes %v", line, took)
		}
	}
}

// A value that no attempt makes valid takes bounded steps, and is answered all the same.
// One that takes few attempts is still made.
func TestSamplesTakeBoundedSteps(t *testing.T) {
	t.Parallel()
	var schemas strings.Builder
	of := func(keyword, name string) string {
		list := make([]string, 8)
		for i := range list {
			list[i] = fmt.Sprintf("{$ref: '#/components/schemas/%s%d'}", name, i)
		}
		return keyword + ": [" + strings.Join(list, ", ") + "]"
	}
	fmt.Fprintf(&schemas, "    A: {%s}\n    E: {%s}\n", of("anyOf", "B"), of("anyOf", "F"))
	for i := range 8 {
		fmt.Fprintf(&schemas, "    B%d: {%s}\n    C%d: {%s}\n", i, of("allOf", "C"), i, of("anyOf", "D"))
		fmt.Fprintf(&schemas, "    D%d: {type: object, required: [a, d], properties: {a: {type: integer, minimum: 5, maximum: 3}, d: {type: array, minItems: 6, items: {$ref: '#/components/schemas/E'}}}}\n", i)
		fmt.Fprintf(&schemas, "    F%d: {type: object, required: [q], properties: {q: {type: string, maxLength: 0, minLength: 3}}}\n", i)
	}
	e := newTestEngine(t, `
openapi: 3.1.0
info: {title: Hostile, version: "1"}
paths:
  /cube: {get: {operationId: cube, responses: {"200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}
  /coin: {get: {operationId: coin, responses: {"200": {description: ok, content: {application/json: {schema: {type: object, required: [side], properties: {side: {enum: [head, tail], not: {const: head}}}}}}}}}}
components:
  schemas:
`+schemas.String())
	for _, path := range []string{"/cube", "/coin"} {
		if a := e.answer(request("GET "+path, "", "Prefer: dynamic=true")); a.Status != 200 || len(a.Body) == 0 {
			t.Fatalf("%s gives %d", path, a.Status)
		}
		op := e.find("GET", path).operations[0]
		to := target{op.responseOf(200), 200}
		for _, seed := range []string{"", "a", "b"} {
			v, steps := op.trySamples(to, to.contents[0], seed)
			if v == nil || steps > 40_000 {
				t.Errorf("a sample of %s with the seed %q takes %d steps: %v", path, seed, steps, v)
			}
			if text := string(to.contents[0].encode(v)); path == "/coin" && !strings.Contains(text, "tail") {
				t.Errorf("a sample of %s with the seed %q is %s", path, seed, text)
			}
		}
	}
}

// BenchmarkFirstRequest is the first request to a version with a thousand operations.
func BenchmarkFirstRequest(b *testing.B) {
	var text strings.Builder
	text.WriteString("openapi: 3.1.0\ninfo: {title: Large, version: '1'}\npaths:\n")
	for i := range 1_000 {
		fmt.Fprintf(&text, `  /things-%d/{id}:
    post:
      operationId: change%d
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}, example: {id: "%d", name: x}}}}}
`, i, i, i)
	}
	text.WriteString("components: {schemas: {Thing: {type: object, required: [name], properties: {id: {type: string}, name: {type: string, maxLength: 20}}}}}\n")
	assembly := assemble(b, text.String())
	b.ReportAllocs()
	for b.Loop() {
		if a := newEngine(assembly).answer(request("POST /things-999/7", `{"name":"x"}`)); a.Status != 200 || !a.IsChecked {
			b.Fatalf("it gives %d", a.Status)
		}
	}
}
