package compare

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
)

// pets is the document that the tests change.
const pets = `{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},
"servers":[{"url":"https://pets.example"}],
"security":[{"key":[]}],
"paths":{"/pets/{id}":{
 "post":{"operationId":"savePet","summary":"Save a pet","tags":["Pets"],
  "parameters":[
   {"name":"id","in":"path","required":true,"schema":{"type":"string"}},
   {"name":"limit","in":"query","schema":{"type":"integer","maximum":50}},
   {"name":"X-Trace","in":"header","schema":{"type":"string"}}],
  "requestBody":{"required":true,"content":{
   "application/json":{"schema":{"$ref":"#/components/schemas/Pet"},"example":{"name":"Rex"}},
   "text/plain":{"schema":{"type":"string"}}}},
  "responses":{
   "200":{"description":"The pet","headers":{"X-Rate":{"required":true,"schema":{"type":"integer"}}},
    "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}},
   "404":{"description":"Unknown"}}}},
"/pets":{"get":{"operationId":"listPets","summary":"List pets","responses":{"200":{"description":"All",
  "content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Pet"}}}}}}}}},
"webhooks":{"petChanged":{"post":{"operationId":"petChanged","summary":"Pet changed","requestBody":{"content":{"application/json":{"schema":{
  "type":"object","required":["event"],"properties":{"event":{"type":"string","enum":["saved","deleted"]}}}}}},
  "responses":{"200":{"description":"Taken"}}}}},
"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"apikey"}},
"schemas":{
 "Pet":{"type":"object","required":["name"],"properties":{
  "name":{"type":"string","maxLength":40,"description":"What it is called."},
  "kind":{"type":"string","enum":["cat","dog"]},
  "tags":{"type":"array","items":{"$ref":"#/components/schemas/Tag"}},
  "parent":{"$ref":"#/components/schemas/Pet"},
  "home":{"oneOf":[{"$ref":"#/components/schemas/House"},{"$ref":"#/components/schemas/Farm"}]}}},
 "Tag":{"type":"object","properties":{"text":{"type":["string","null"],"pattern":"^[a-z]+$"}}},
 "House":{"type":"object","properties":{"street":{"type":"string"}}},
 "Farm":{"type":"object","properties":{"acres":{"type":"number"}}},
 "Unused":{"type":"string"}}}}`

func assemble(t testing.TB, document []byte) *openapi.Assembly {
	t.Helper()
	d, err := openapi.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	a, err := openapi.Assemble(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// change sets the value at a pointer of the document, or removes it.
func change(t testing.TB, document, pointer, value string) []byte {
	t.Helper()
	root, err := tree.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	tokens := tree.Tokens(pointer)
	parent, last := root.At(tree.Parent(pointer)), tokens[len(tokens)-1]
	switch {
	case value == "":
		parent.Remove(last)
	case parent.Is(tree.KindArray):
		v, _ := tree.Read([]byte(`{"v":` + value + `}`))
		parent.Items = append(parent.Items, v.Get("v"))
	default:
		v, err := tree.Read([]byte(`{"v":` + value + `}`))
		if err != nil {
			t.Fatal(err)
		}
		parent.Set(last, v.Get("v"))
	}
	return root.JSON()
}

// said writes a report in lines, for tests.
func said(r *Report) []string {
	lines := []string{}
	for _, op := range r.Operations {
		for _, c := range op.Changes {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", op.Shown().Slug, c.Level, c.Kind, c.Place)))
		}
	}
	for _, c := range r.General {
		lines = append(lines, fmt.Sprintf("- %s %s", c.Level, c.Kind))
	}
	return lines
}

func TestChanges(t *testing.T) {
	t.Parallel()
	post := "/paths/~1pets~1{id}/post"
	pet := "/components/schemas/Pet"
	for _, c := range []struct {
		name, pointer, value string
		want                 []string
	}{
		{"an endpoint goes", "/paths/~1pets", "", []string{"list-pets breaking endpoint-removed"}},
		{"an endpoint comes", "/paths/~1cats", `{"get":{"operationId":"listCats","responses":{"200":{"description":"All"}}}}`, []string{"list-cats safe endpoint-added"}},
		{"a callback goes", "/webhooks/petChanged", "", []string{"pet-changed breaking callback-removed"}},
		{"a parameter goes", post + "/parameters", `[{"name":"id","in":"path","required":true,"schema":{"type":"string"}},{"name":"limit","in":"query","schema":{"type":"integer","maximum":50}}]`,
			[]string{"save-pet risky parameter-removed header.X-Trace"}},
		{"a parameter is required", post + "/parameters/-", `{"name":"page","in":"query","required":true,"schema":{"type":"string"}}`, []string{"save-pet breaking required-parameter query.page"}},
		{"a limit of a parameter", post + "/parameters/1/schema/maximum", "20", []string{"save-pet breaking limit-narrowed query.limit"}},
		{"a content type goes", post + "/requestBody/content/text~1plain", "", []string{"save-pet breaking media-removed body-text-plain"}},
		{"a body is optional", post + "/requestBody/required", "false", []string{"save-pet safe became-optional body"}},
		{"a response comes", post + "/responses/409", `{"description":"Conflict"}`, []string{"save-pet safe response-added response-409"}},
		{"a response goes", post + "/responses/404", "", []string{"save-pet safe error-removed response-404"}},
		{"a header goes", post + "/responses/200/headers", "", []string{"save-pet breaking required-header-removed response-200-header.X-Rate"}},
		{"authentication ends", post + "/security", "[]", []string{"save-pet safe security-lifted"}},
		{"the key moves", "/components/securitySchemes/key/in", `"query"`, []string{"list-pets breaking security-changed", "save-pet breaking security-changed"}},
		{"an example", post + "/requestBody/content/application~1json/example/name", `"Tom"`, []string{"save-pet prose example-changed body"}},
		{"a text", post + "/description", `"Saves it."`, []string{"save-pet prose prose-changed"}},
		{"a value of an enum comes", pet + "/properties/kind/enum/-", `"fish"`,
			[]string{"list-pets risky enum-value-added response-200.kind", "save-pet safe enum-value-added body.kind", "save-pet risky enum-value-added response-200.kind"}},
		{"a limit widens", pet + "/properties/name/maxLength", "80",
			[]string{"list-pets breaking limit-widened response-200.name", "save-pet safe limit-widened body.name", "save-pet breaking limit-widened response-200.name"}},
		{"a field goes", pet + "/properties/kind", "",
			[]string{"list-pets risky field-removed response-200.kind", "save-pet risky field-removed body.kind", "save-pet risky field-removed response-200.kind"}},
		{"a field is required", pet + "/required", `["name","kind"]`,
			[]string{"list-pets safe became-required response-200.kind", "save-pet breaking became-required body.kind", "save-pet safe became-required response-200.kind"}},
		{"null is refused in a shared schema", "/components/schemas/Tag/properties/text/type", `"string"`,
			[]string{"list-pets safe null-refused response-200.tags.text", "save-pet breaking null-refused body.tags.text", "save-pet safe null-refused response-200.tags.text"}},
		{"a form goes", pet + "/properties/home/oneOf", `[{"$ref":"#/components/schemas/House"}]`, nil},
		{"a value of a callback comes", "/webhooks/petChanged/post/requestBody/content/application~1json/schema/properties/event/enum/-", `"lost"`,
			[]string{"pet-changed risky enum-value-added body.event"}},
		{"an unused schema", "/components/schemas/Unused/type", `"integer"`, []string{"- prose unused-schema-changed"}},
		{"a server", "/servers/0/url", `"https://new.example"`, []string{"- safe server-added", "- risky server-removed"}},
		{"the same in another way", pet + "/properties/name", `{"allOf":[{"type":"string"},{"maxLength":40,"description":"What it is called."}]}`, []string{}},
		{"the same limit", "/components/schemas/Tag/properties/text/minLength", "0", []string{}},
	} {
		got := said(Documents(assemble(t, []byte(pets)), assemble(t, change(t, pets, c.pointer, c.value))))
		if c.want == nil {
			if len(got) == 0 {
				t.Errorf("%s: nothing found", c.name)
			}
			continue
		}
		if c.name == "the same in another way" || c.name == "the same limit" {
			got = withoutDetails(got)
		}
		if !sameLines(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// withoutDetails removes what says that only the way of writing changed.
func withoutDetails(lines []string) []string {
	list := []string{}
	for _, l := range lines {
		if !strings.Contains(l, "prose") {
			list = append(list, l)
		}
	}
	return list
}

func sameLines(got, want []string) bool {
	count := map[string]int{}
	for _, l := range got {
		count[l]++
	}
	for _, l := range want {
		count[l]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestUnchangedFieldsAreCountedAndNamed(t *testing.T) {
	t.Parallel()
	r := Documents(assemble(t, []byte(pets)), assemble(t, change(t, pets, "/components/schemas/Pet/properties/kind", "")))
	if want := (Count{Changed: 2, Unchanged: 1}); r.Endpoints != want {
		t.Errorf("endpoints %+v, want %+v", r.Endpoints, want)
	}
	for _, op := range r.Operations {
		if op.Shown().Slug != "save-pet" {
			continue
		}
		text := strings.Join(op.UnchangedFields, " ")
		for _, place := range []string{"path.id", "query.limit", "header.X-Trace", "body.name", "body.tags", "body.tags.text", "body.parent", "body.home:house.street", "response-200.name", "response-200-header.X-Rate"} {
			if !strings.Contains(" "+text+" ", " "+place+" ") {
				t.Errorf("%s is not named among the unchanged fields: %s", place, text)
			}
		}
		if strings.Contains(text, "kind") {
			t.Errorf("a removed field is among the unchanged: %s", text)
		}
		if op.Fields.Removed != 2 || op.Fields.Unchanged != len(op.UnchangedFields) {
			t.Errorf("fields %+v with %d names", op.Fields, len(op.UnchangedFields))
		}
	}
}

func TestFingerprintsFollowAChange(t *testing.T) {
	t.Parallel()
	old := assemble(t, []byte(pets))
	narrow := change(t, pets, "/components/schemas/Pet/properties/name/maxLength", "20")
	first := fingerprints(Documents(old, assemble(t, narrow)))
	later := fingerprints(Documents(old, assemble(t, change(t, string(narrow), "/info/title", `"Animals"`))))
	for key := range first {
		if !later[key] {
			t.Errorf("the fingerprint of %s changed with another change", key)
		}
	}
	other := fingerprints(Documents(old, assemble(t, change(t, pets, "/components/schemas/Pet/properties/name/maxLength", "10"))))
	for key := range first {
		if other[key] {
			t.Errorf("another limit has the same fingerprint %s", key)
		}
	}
}

func fingerprints(r *Report) map[string]bool {
	all := map[string]bool{}
	for _, op := range r.Operations {
		for _, c := range op.Changes {
			all[op.Shown().Slug+" "+c.Kind+" "+c.Place+" "+c.Fingerprint] = true
		}
	}
	return all
}

func TestRulesAreComplete(t *testing.T) {
	t.Parallel()
	for kind, r := range rules {
		if r.class == "" || r.title == "" || r.level == "" {
			t.Errorf("%s: class, title or level is missing", kind)
		}
		for _, dir := range []direction{request, response} {
			level, reason, advice := r.in(dir)
			if level == "" || !strings.HasSuffix(reason, ".") || !strings.HasSuffix(advice, ".") {
				t.Errorf("%s: level %q, reason %q, advice %q", kind, level, reason, advice)
			}
		}
	}
}

func TestReportIsJSON(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(Documents(assemble(t, []byte(pets)), assemble(t, []byte(pets))))
	if err != nil || strings.Contains(string(raw), "null") {
		t.Errorf("%s %v", raw, err)
	}
}

// Values that stop being arrays have a new type, and nothing more is said of their
// items.
func TestArrayBecomesObject(t *testing.T) {
	t.Parallel()
	document := func(schema string) *openapi.Assembly {
		return assemble(t, []byte(`{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{"/a":{"get":{"operationId":"a","responses":{"200":{"description":"Done","content":{"application/json":{"schema":{
			"type":"object","properties":{"list":`+schema+`}}}}}}}}}}`))
	}
	report := Documents(document(`{"type":"array","items":{"type":"string"}}`), document(`{"type":"object","properties":{"a":{"type":"string"}}}`))
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "type-changed") || strings.Contains(string(text), "type-widened") {
		t.Errorf("%s", text)
	}
}
