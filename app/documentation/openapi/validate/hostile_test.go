package validate_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi/validate"
)

// taking returns a validator with an operation "op" that takes a JSON body of
// the schema X.
func taking(t testing.TB, schemas string, limits validate.Limits) *validate.Validator {
	t.Helper()
	return open(t, []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/":{"post":{"operationId":"op",
		"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/X"}}}},"responses":{"200":{"description":"ok"}}}}},
		"components":{"schemas":{`+schemas+`}}}`), limits)
}

func send(t testing.TB, v *validate.Validator, body string) string {
	t.Helper()
	list, err := v.Request("op", validate.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)})
	return brief(t, list, err)
}

// ladder returns schemas that each apply the next one twice.
func ladder(levels int, keyword string) string {
	list := []string{`"X":{"$ref":"#/components/schemas/S0"}`}
	for i := range levels {
		list = append(list, fmt.Sprintf(`"S%d":{%q:[{"$ref":"#/components/schemas/S%d"},{"$ref":"#/components/schemas/S%d"}]}`, i, keyword, i+1, i+1))
	}
	return strings.Join(append(list, fmt.Sprintf(`"S%d":{"type":"string"}`, levels)), ",")
}

func TestSchemasThatExplodeAreNotChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schemas, body, want, warning string }{
		"allOf ladder":   {ladder(60, "allOf"), `1`, "", "too many schemas"},
		"anyOf ladder":   {ladder(60, "anyOf"), `1`, "", "too many schemas"},
		"oneOf ladder":   {ladder(60, "oneOf"), `1`, "", "too many schemas"},
		"short ladder":   {ladder(5, "allOf"), `1`, "body type", ""},
		"circle":         {`"X":{"allOf":[{"$ref":"#/components/schemas/X"}]}`, `1`, "", "too many schemas"},
		"nowhere":        {`"X":{"$ref":"#/components/schemas/None","type":"string"}`, `1`, "body type", "has no target"},
		"past a list":    {`"X":{"$ref":"#/components/schemas/Y/allOf/1","type":"string"},"Y":{"allOf":[{"type":"integer"}]}`, `1`, "body type", "has no target"},
		"before a list":  {`"X":{"$ref":"#/components/schemas/Y/allOf/-1","type":"string"},"Y":{"allOf":[{"type":"integer"}]}`, `1`, "body type", "has no target"},
		"beside a list":  {`"X":{"$ref":"#/components/schemas/Y/allOf/first","type":"string"},"Y":{"allOf":[{"type":"integer"}]}`, `1`, "body type", "has no target"},
		"dynamic":        {`"X":{"$dynamicRef":"#a","$dynamicAnchor":"a"}`, `1`, "", "$dynamicRef"},
		"id":             {`"X":{"$id":"http://localhost/x","type":"string"}`, `1`, "", "$id"},
		"dialect":        {`"X":{"$schema":"http://localhost/x","type":"string"}`, `1`, "body type", ""},
		"lookahead":      {`"X":{"type":"string","pattern":"^(?!a)"}`, `"a"`, "", "RE2"},
		"member pattern": {`"X":{"patternProperties":{"^(?!a)":{"type":"string"}},"additionalProperties":false}`, `{"b":1}`, "", "RE2"},
	} {
		v := taking(t, c.schemas, validate.Limits{})
		if got := send(t, v, c.body); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		warnings, err := v.Warnings("op")
		if err != nil || (len(warnings) > 0) != (c.warning != "") {
			t.Errorf("%s: warnings %v, %v", name, warnings, err)
		} else if c.warning != "" && !strings.Contains(warnings[0].Message, c.warning) {
			t.Errorf("%s warns %q, want %q", name, warnings[0].Message, c.warning)
		}
	}
}

// The variants of an expression all have the member "of", so a validator
// applies four times as many schemas at every level of the body.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	var variants []string
	for i := range 4 {
		variants = append(variants, fmt.Sprintf(`{"type":"object","required":["k"],"properties":{"k":{"const":%d},"of":{"$ref":"#/components/schemas/X"}}}`, i))
	}
	v := taking(t, `"X":{"oneOf":[`+strings.Join(variants, ",")+`]}`, validate.Limits{})
	body := func(levels int) string {
		return strings.Repeat(`{"k":1,"of":`, levels) + `{"k":2}` + strings.Repeat("}", levels)
	}
	if got := send(t, v, body(3)); got != "" {
		t.Errorf("a small expression has the problems %q", got)
	}
	if got := send(t, v, body(60)); got != "body work" {
		t.Errorf("a deep expression has the problems %q", got)
	}
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	limits := validate.Limits{Bytes: 100, Depth: 3, Values: 10, Problems: 2}
	v := taking(t, `"X":{"type":["object","array"],"additionalProperties":{"type":"string"}}`, limits)
	for body, want := range map[string]string{
		`[[[]]]`:                       "",
		`[[[[]]]]`:                     "body depth",
		`["[[[[[[[[[["]`:               "",
		`["\"[[[[["]`:                  "",
		`[1,2,3,4,5,6,7,8,9,10]`:       "body values",
		`[12345678901,23456789012]`:    "",
		strings.Repeat(" ", 101) + `1`: "body size",
		`{"a":1,"b":1,"c":1}`:          "body /a type\nbody /b type",
	} {
		if diff := cmp.Diff(want, send(t, v, body)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestMessagesSayWhatToChange(t *testing.T) {
	t.Parallel()
	v := taking(t, `"X":{"type":"object","required":["a"],"properties":{"a":{"enum":["x",2,null]},"b":{"type":["string","null"]},"c":{"maxLength":3},"d":{"minimum":1.5},"e":{"minimum":1000000}}}`, validate.Limits{})
	for body, want := range map[string]string{
		`{}`:                  "Add the member a.",
		`{"a":"y"}`:           `Send one of "x", 2, null.`,
		`{"a":2,"b":1}`:       "Send a string or null, not a number.",
		`{"a":2,"c":"long!"}`: "Send at most 3 characters.",
		`{"a":2,"d":1}`:       "Send a number of at least 1.5.",
		`{"a":2,"e":1}`:       "Send a number of at least 1000000.",
		`{"a":2,`:             "Send valid JSON. At byte 7: unexpected EOF.",
		`{"a":2]`:             "Send valid JSON. At byte 7: invalid character ']' after object key:value pair.",
	} {
		list, err := v.Request("op", validate.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)})
		if err != nil || len(list) != 1 || list[0].Message != want {
			t.Errorf("%s: got %+v, %v, want %q", body, list, err, want)
		}
	}
}

// Of variants that all fail, the problems come from the one that was meant: not
// of one for another type or another constant, and rather of one that fails deep
// within.
func TestProblemsAreOfTheVariantThatWasMeant(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ variants, value, want string }{
		"another type": {`{"type":"string"},{"properties":{"a":{"type":"integer"}}}`, `{"a":"x"}`, "body /in/a type"},
		"another constant": {`{"properties":{"kind":{"const":"a"},"n":{"type":"string"}}},{"properties":{"kind":{"const":"b"},"n":{"properties":{"m":{"type":"integer"}}}}}`,
			`{"kind":"a","n":{"m":"x"}}`, "body /in/n type"},
		"deeper": {`{"required":["z"]},{"properties":{"n":{"properties":{"m":{"type":"integer"}}}}}`, `{"n":{"m":"x"}}`, "body /in/n/m type"},
		"fewer":  {`{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}}},{"properties":{"a":{"type":"integer"}}}`, `{"a":"x","b":"y"}`, "body /in/a type"},
	} {
		v := taking(t, `"X":{"properties":{"in":{"anyOf":[`+c.variants+`]}}}`, validate.Limits{})
		if diff := cmp.Diff(c.want, send(t, v, `{"in":`+c.value+`}`)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A field of a form that its schema does not name is text.
func TestUnnamedFieldsOfFormsAreText(t *testing.T) {
	t.Parallel()
	v := open(t, []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/":{"post":{"operationId":"op",
		"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","unevaluatedProperties":{"type":"string"}}}}},"responses":{"200":{"description":"ok"}}}}}}`), validate.Limits{})
	for body, want := range map[string]string{"a=x": "", "a=x&a=y": "body /a type"} {
		list, err := v.Request("op", validate.Request{Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte(body)})
		if diff := cmp.Diff(want, brief(t, list, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func FuzzParameters(f *testing.F) {
	v := shapes(f)
	for _, query := range []string{"limit=5", "filter[in][from]=1&filter[names]=a", "csv=1,2&space=1%202&pipe=1|2", "lat=1&lon=2", "json=%7B", "%zz=1", "filter[][]=1&filter[a][b][c][d][e]=1"} {
		f.Add(query, "a=b; session=x", "5", ".1.2", ";matrix=r,5")
	}
	f.Fuzz(func(t *testing.T, query, cookie, header, label, matrix string) {
		r := validate.Request{Query: query, Header: http.Header{"Cookie": {cookie}, "X-Count": {header}, "X-List": {header}}, Path: map[string]string{"id": header, "tags": label, "label": label, "matrix": matrix}}
		first, err := v.Request("readThing", r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := v.Request("readThing", r)
		if diff := cmp.Diff(first, again); err != nil || diff != "" {
			t.Fatalf("the same request has other problems (-first +again): %v\n%s", err, diff)
		}
		if len(first) > 20 {
			t.Fatalf("%d problems", len(first))
		}
	})
}
