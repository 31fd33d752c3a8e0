package published_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// history is a contract with all that operations share.
const history = `openapi: 3.1.0
info: {title: History, version: "1"}
security: [{key: []}]
paths:
  /a:
    parameters: [{$ref: "#/components/parameters/Limit"}]
    get:
      operationId: getA
      summary: Get A
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}}
  /b:
    get: {operationId: getB, summary: Get B, responses: {"200": {description: ok}}}
  /v:
    get:
      operationId: getV
      x-variants:
        - {operationId: getFirst, x-path: "/{first}", summary: First, responses: {"200": {description: ok}}}
        - {operationId: getSecond, x-path: "/{second}", summary: Second, responses: {"200": {description: ok}}}
      responses: {"200": {description: ok}}
  /c:
    get:
      operationId: getC
      summary: Get C
      responses: {"200": {description: ok}}
webhooks:
  lit: {post: {operationId: lit, summary: Lit, responses: {"200": {description: ok}}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: apikey}}
  parameters: {Limit: {name: limit, in: query, schema: {type: integer}}}
  schemas: {Lamp: {type: object, properties: {name: {type: string, maxLength: 20}}}}
  pathItems:
    D:
      get:
        operationId: inD
        responses: {"200": {description: ok}}
`

func assembled(t *testing.T, text string) *openapi.Assembly {
	t.Helper()
	d, err := openapi.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	a, err := openapi.Assemble(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The history of a version reads only what differs between two releases. It tells
// the same as a comparison of the whole documents.
func TestHistoryTellsWhatAComparisonTells(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	texts := []string{history}
	for _, edit := range [][2]string{
		{"summary: Get A", "summary: Get A again"},                         // an endpoint
		{"/b:", "/b/renewed:"},                                             // another path
		{"type: integer", "type: string"},                                  // a shared parameter
		{"maxLength: 20", "maxLength: 10"},                                 // a schema
		{"summary: Second", "summary: Second of two"},                      // a variant
		{"title: History", "title: History of letters"},                    // of no endpoint
		{"security: [{key: []}]", "security: [{key: []}, {}]"},             // of every endpoint
		{"/c:", "/d:\n    $ref: '#/components/pathItems/D'\n  /c:"},        // a path elsewhere
		{"operationId: inD", "operationId: inD\n        deprecated: true"}, // there
	} {
		last := texts[len(texts)-1]
		if !strings.Contains(last, edit[0]) {
			t.Fatalf("the document has no %s", edit[0])
		}
		texts = append(texts, strings.Replace(last, edit[0], edit[1], 1))
	}
	for _, text := range texts {
		if err := editorial.Seed(t.Context(), pool, files(text)); err != nil {
			t.Fatal(err)
		}
	}
	c := published.New(pool, db.NewListener(pool))
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := c.Snapshot().Product("letters").Version("1.0")
	list, err := v.History(t.Context())
	if err != nil || len(list) != len(texts) {
		t.Fatalf("%d releases of %d: %v", len(list), len(texts), err)
	}
	slices.Reverse(list)
	for i := 1; i < len(list); i++ {
		want := compare.Documents(assembled(t, texts[i-1]), assembled(t, texts[i]))
		if diff := cmp.Diff(changed(want), changed(list[i].Report)); diff != "" {
			t.Errorf("release %d (-whole +history):\n%s", list[i].Number, diff)
		}
		if want.Levels != list[i].Report.Levels || want.Endpoints.Changed != list[i].Report.Endpoints.Changed {
			t.Errorf("release %d has the levels %+v, want %+v", list[i].Number, list[i].Report.Levels, want.Levels)
		}
	}
}

// changed returns what a report tells of operations that are not unchanged, and in
// general.
func changed(r *compare.Report) (told []string) {
	for _, op := range r.Operations {
		if op.Class != compare.Unchanged {
			told = append(told, string(op.Class)+" "+op.Shown().Slug)
		}
		for _, c := range op.Changes {
			told = append(told, op.Shown().Slug+": "+c.Kind+" "+c.Place+" "+c.Before+" → "+c.After)
		}
	}
	for _, c := range r.General {
		told = append(told, c.Kind+" "+c.Place+" "+c.Before+" → "+c.After)
	}
	return told
}
