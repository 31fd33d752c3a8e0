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
