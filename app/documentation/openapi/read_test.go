package openapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

func TestReadVariants(t *testing.T) {
	t.Parallel()
	d, err := Read(readFile(t, "testdata/variants.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	type row struct{ ID, Slug, Name, Category, Method, Path string }
	var got []row
	for _, o := range d.Operations {
		got = append(got, row{o.ID, o.Slug, o.Name, o.Category, o.Method, o.Path})
	}
	want := []row{
		{"readPlace", "read-place", "Read a place", "Places", "GET", "/{place-id}"},
		{"readMedia", "read-media", "Read media", "Media", "GET", "/{media-id}"},
		{"getPlaces", "get-places", "Get places", "Places", "GET", "/places"},
		{"createPlace", "create-place", "Create place", "Places", "POST", "/places"},
		{"readThing", "read-thing", "Read thing", "", "GET", "/things/{thing-id}"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	raw, err := tree.Read(d.Operations[1].Raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := raw.Str("x-openapi-path"); got != "/{id}" {
		t.Errorf("x-openapi-path of a variant is %q", got)
	}
	if len(raw.List("parameters")) != 1 {
		t.Errorf("a variant without parameters of its own has %d, want the one of its path", len(raw.List("parameters")))
	}
	frame, err := tree.Read(d.Frame)
	if err != nil {
		t.Fatal(err)
	}
	if base := frame.At("/paths/~1{id}/get"); base.Str("operationId") != "readNode" || len(base.List("x-variants")) != 0 {
		t.Errorf("the base operation in the frame is %s", base.JSON())
	}
	if frame.At("/paths/~1things~1{thing}/x-note") == nil || frame.Get("webhooks") == nil {
		t.Errorf("the frame lost what belongs to a path, or the webhooks: %s", d.Frame)
	}
}

func TestAssembleRefuses(t *testing.T) {
	t.Parallel()
	frame := json.RawMessage(`{"openapi":"3.1.0","info":{"title":"T","version":"1"}}`)
	op := Operation{ID: "a", Method: "GET", Path: "/a", Raw: json.RawMessage(`{"responses":{}}`)}
	with := func(change func(*Operation)) []Operation {
		o := op
		change(&o)
		return []Operation{o}
	}
	for name, c := range map[string]struct {
		frame json.RawMessage
		ops   []Operation
		want  fault.Kind
	}{
		"twice":        {frame, []Operation{op, op}, fault.Conflict},
		"method":       {frame, with(func(o *Operation) { o.Method = "FETCH" }), fault.Invalid},
		"path":         {frame, with(func(o *Operation) { o.Path = "a" }), fault.Invalid},
		"list":         {frame, with(func(o *Operation) { o.Raw = json.RawMessage(`[]`) }), fault.Invalid},
		"broken":       {frame, with(func(o *Operation) { o.Raw = json.RawMessage(`{`) }), fault.Invalid},
		"list frame":   {json.RawMessage(`[]`), nil, fault.Invalid},
		"broken frame": {json.RawMessage(`{`), nil, fault.Invalid},
	} {
		if _, err := assemble(Parts{Frame: c.frame, Operations: c.ops}); !fault.Is(err, c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	whole, err := assemble(Parts{Frame: frame})
	if err != nil || !strings.Contains(string(whole), `"paths":{}`) {
		t.Errorf("an empty document is %s, %v", whole, err)
	}
}

// TestAssembleDropsEmptyBase removes the last variants: their base goes too.
func TestAssembleDropsEmptyBase(t *testing.T) {
	t.Parallel()
	d, err := Read(readFile(t, "testdata/variants.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d.Operations = d.Operations[2:]
	whole, err := assemble(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Operations) != 3 {
		t.Errorf("%d operations are left, want 3: %s", len(again.Operations), whole)
	}
}

func TestStructureFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ document, pointer, line string }{
		"no title": {"openapi: 3.1.0\ninfo:\n  version: '1'\npaths: {}\n", "/info", "Line 3"},
		"operation is a text": {
			"openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get: hello\n", "/paths/~1a/get", "Line 5"},
		"parameter without in": {
			"openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      parameters:\n        - name: x\n          schema: {}\n      responses: {'200': {description: ok}}\n",
			"/paths/~1a/get/parameters/0", "Line 7"},
		"3.0 response without description": {
			"openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      responses:\n        '200':\n          content: {}\n",
			"/paths/~1a/get/responses/200", "Line 8"},
		"variant without responses": {
			"openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /{id}:\n    get:\n      responses: {'200': {description: ok}}\n      x-variants:\n        - x-path: /{a}\n          responses: {'200': {}}\n",
			"/paths/~1{id}/get/x-variants/0/responses/200", "Line 9"},
	} {
		_, err := Read([]byte(c.document))
		f := fault.As(err)
		if f == nil || f.Kind != fault.Invalid || len(f.Fields) == 0 || f.Fields[0].Name != c.pointer || !strings.HasPrefix(f.Fields[0].Message, c.line) {
			t.Errorf("%s: got %+v", name, f)
		}
	}
}

func TestReadLeniently(t *testing.T) {
	t.Parallel()
	d, err := Read([]byte(`
openapi: 3.1.0
info: {title: T, version: 1.0}
extra: 1
paths:
  /a:
    get:
      operationId: same
      responses:
        200:
          description: ok
          content:
            application/json:
              schema: {type: strin, nullable: true, properties: {a: {$ref: '#/components/schemas/None'}, b: {type: string, pattern: '^(?=a)'}}}
    post:
      operationId: same
      responses: {'200': {description: ok}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, w := range d.Warnings {
		places = append(places, w.Place)
	}
	schema := "/paths/~1a/get/responses/200/content/application~1json/schema"
	want := []string{
		schema + "/properties/a", schema + "/properties/b/pattern", "/info/version", schema,
		"/extra", schema + "/type", "/paths/~1a/post",
	}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places of the warnings (-want +got):\n%s", diff)
	}
	if d.Version != "1.0" || d.Operations[1].ID != "same2" {
		t.Errorf("version %q, second id %q", d.Version, d.Operations[1].ID)
	}
}

func TestUpgrade(t *testing.T) {
	t.Parallel()
	d, err := Read([]byte(`
openapi: 3.0.3
info: {title: T, version: "1"}
paths: {}
components:
  schemas:
    A:
      type: object
      properties:
        nullable: {type: boolean}
        a: {type: string, nullable: true, enum: [x], example: x}
        b: {nullable: true, allOf: [{$ref: '#/components/schemas/A'}], description: B}
        c: {type: integer, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false}
        d: {type: string, format: binary}
        e: {type: string, format: byte, nullable: false}
`))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Assemble(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"nullable":{"type":"boolean"},` +
		`"a":{"type":["string","null"],"enum":["x",null],"examples":["x"]},` +
		`"b":{"description":"B","anyOf":[{"allOf":[{"$ref":"#/components/schemas/A"}]},{"type":"null"}]},` +
		`"c":{"type":"integer","maximum":9,"exclusiveMinimum":1},` +
		`"d":{"type":"string","contentMediaType":"application/octet-stream"},` +
		`"e":{"type":"string","contentEncoding":"base64"}}`
	if diff := cmp.Diff(want, string(whole.Root.At("/components/schemas/A/properties").JSON())); diff != "" {
		t.Errorf("properties (-want +got):\n%s", diff)
	}
	if version := whole.Root.Str("openapi"); version != "3.1.1" || len(d.Warnings) != 0 {
		t.Errorf("openapi %s, warnings %v", version, d.Warnings)
	}
}

// Each path and webhook gives its operations. An extension among them gives none,
// whatever it looks like, and stays where it is.
func TestExtensionsAmongPathsAreNoOperations(t *testing.T) {
	t.Parallel()
	const ok = `{"responses":{"200":{"description":"ok"}}}`
	d, err := Read([]byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},
		"paths":{"/lamp":{"get":` + ok + `},"x-note":{"get":` + ok + `}},"webhooks":{"lit":{"post":` + ok + `}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Operations) != 1 || d.Operations[0].Path != "/lamp" || len(d.Callbacks) != 1 || d.Callbacks[0].Path != "lit" {
		t.Errorf("the operations are %+v and %+v", d.Operations, d.Callbacks)
	}
	if !strings.Contains(string(d.Frame), `"x-note":{"get":{"responses"`) {
		t.Errorf("the extension is lost: %s", d.Frame)
	}
}

func TestJoinFrame(t *testing.T) {
	t.Parallel()
	d, err := Read([]byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"tags":[{"name":"Lamps"}],"paths":{"/lamp":{"get":{"responses":{"200":{"description":"ok"}}}}},
		"webhooks":{"lit":{"post":{"responses":{"200":{"description":"ok"}}}}},"components":{"schemas":{"Lamp":{"type":"object"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	frame, err := JoinFrame(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"name":"Lamps"}`, `"Lamp":{"type":"object"}`, `"lit":{"post":{"responses"`, `"/lamp":{"get":null}`} {
		if !strings.Contains(string(frame), want) {
			t.Errorf("the frame lacks %s: %s", want, frame)
		}
	}
	d.Schemas[0].Raw = []byte(`{`)
	if frame, err := JoinFrame(d.Parts); err == nil {
		t.Errorf("half a schema gives %s", frame)
	}
}
