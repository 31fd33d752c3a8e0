package validate_test

import (
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/fault"
)

// open returns a validator for a document.
func open(t testing.TB, document []byte, limits validate.Limits) *validate.Validator {
	t.Helper()
	read, err := openapi.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	assembly, err := openapi.Assemble(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return validate.NewLimited(assembly, limits)
}

func shapes(t testing.TB) *validate.Validator {
	t.Helper()
	document, err := os.ReadFile("testdata/shapes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return open(t, document, validate.Limits{})
}

// brief writes problems as "location name pointer code", one a line.
func brief(t testing.TB, list []validate.Problem, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range list {
		if !strings.HasSuffix(p.Message, ".") {
			t.Errorf("the message %q is not a sentence", p.Message)
		}
		lines = append(lines, strings.Join(strings.Fields(string(p.Location)+" "+p.Name+" "+p.Pointer+" "+p.Code), " "))
	}
	return strings.Join(lines, "\n")
}

func TestRequestParameters(t *testing.T) {
	t.Parallel()
	v := shapes(t)
	for _, c := range []struct{ id, tags, label, matrix, query, want string }{
		{query: "limit=5"},
		{query: "", want: "query limit required"},
		{query: "limit=", want: "query limit type"},
		{query: "limit=51", want: "query limit maximum"},
		{query: "limit=1e999999999", want: "query limit type"},
		{query: "limit=1&limit=2", want: "query limit repeated"},
		{query: "limit=%zz", want: "query limit encoding"},
		{query: "limit=5&%zz=1", want: "query encoding\nquery limit required"},
		{id: "0", query: "limit=5", want: "path id minimum"},
		{id: "a", query: "limit=5", want: "path id type"},
		{tags: "a,b", query: "limit=5"},
		{tags: "a%2Cb,c", query: "limit=5"},
		{tags: "a,b,c", query: "limit=5", want: "path tags maxItems"},
		{label: ".1.2", query: "limit=5"},
		{label: ".1.x", query: "limit=5", want: "path label /1 type"},
		{label: "1", query: "limit=5", want: "path label style"},
		{matrix: ";matrix=r,5", query: "limit=5"},
		{matrix: ";matrix=g,5", query: "limit=5", want: "path matrix required"},
		{matrix: ";matrix=r", query: "limit=5", want: "path matrix style"},
		{matrix: ";other=r,5", query: "limit=5", want: "path matrix style"},
		{query: "limit=5&flag"},
		{query: "limit=5&flag=true"},
		{query: "limit=5&flag=yes", want: "query flag type"},
		{query: "limit=5&ids=1&ids=2"},
		{query: "limit=5&ids=1,2", want: "query ids /0 type"},
		{query: "limit=5&ids=1&ids=x", want: "query ids /1 type"},
		{query: "limit=5&csv=1,2"},
		{query: "limit=5&csv=1%2C2", want: "query csv /0 type"},
		{query: "limit=5&space=1%202&pipe=1%7C2"},
		{query: "limit=5&space=1+x&pipe=1|x", want: "query pipe /1 type\nquery space /1 type"},
		{query: "limit=5&filter[size]=3&filter%5Bnames%5D=a&filter[names]=b&filter[in][from]=2"},
		{query: "limit=5&filter[size]=x&filter[no]=1&filter[in][from]=y", want: "query filter /in/from type\nquery filter /no additionalProperties\nquery filter /size type"},
		{query: "limit=5&filter[size]=1&filter[size]=2", want: "query filter repeated"},
		{query: "limit=5&lat=1.5&lon=2"},
		{query: "limit=5&lat=1.5", want: "query spread dependentRequired"},
		{query: "limit=5&lat=x&lon=2", want: "query spread /lat type"},
		{query: "limit=5&json=%7B%22a%22%3A1%7D"},
		{query: "limit=5&json=%7B%7D", want: "query json required"},
		{query: "limit=5&json=%7B", want: "query json syntax"},
		{query: "limit=5&either=12"},
		{query: "limit=5&either=abc"},
		{query: "limit=5&either=5", want: "query either minimum"},
	} {
		r := validate.Request{Path: map[string]string{"id": "1", "tags": "a", "label": ".1", "matrix": ";matrix=r,1"}, Query: c.query, Header: http.Header{"Cookie": {"session=abc"}}}
		for name, value := range map[string]string{"id": c.id, "tags": c.tags, "label": c.label, "matrix": c.matrix} {
			if value != "" {
				r.Path[name] = value
			}
		}
		got, err := v.Request("readThing", r)
		if diff := cmp.Diff(c.want, brief(t, got, err)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c, diff)
		}
	}
}

func TestRequestHeaders(t *testing.T) {
	t.Parallel()
	v := shapes(t)
	path := map[string]string{"id": "1", "tags": "a", "label": ".1", "matrix": ";matrix=r,1"}
	for _, c := range []struct {
		header http.Header
		want   string
	}{
		{http.Header{"Cookie": {"a=b; session=abc"}, "X-Count": {"5"}, "X-List": {"a, b", "a"}}, ""},
		{http.Header{"Cookie": {"session=a"}, "X-Count": {"x"}, "X-List": {"a,c"}}, "header X-Count type\nheader X-List /1 enum\ncookie session minLength"},
		{nil, "cookie session required"},
	} {
		got, err := v.Request("readThing", validate.Request{Path: path, Query: "limit=1", Header: c.header})
		if diff := cmp.Diff(c.want, brief(t, got, err)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.header, diff)
		}
	}
	got, err := v.Request("readThing", validate.Request{Query: "limit=1", Header: http.Header{"Cookie": {"session=abc"}}})
	if diff := cmp.Diff("path id required\npath label required\npath matrix required\npath tags required", brief(t, got, err)); diff != "" {
		t.Errorf("without a path (-want +got):\n%s", diff)
	}
}

func TestRequestBody(t *testing.T) {
	t.Parallel()
	v := shapes(t)
	for body, want := range map[string]string{
		`{}`:                          "",
		`{"typed":"a","const":3.0}`:   "",
		`{"typed":1.5}`:               "body /typed type",
		`{"const":4}`:                 "body /const const",
		`{"prefix":["a",1]}`:          "",
		`{"prefix":[1,"a"]}`:          "body /prefix/0 type\nbody /prefix/1 type",
		`{"prefix":["a",1,2]}`:        "body /prefix/2 items",
		`{"when":{"kind":"a"}}`:       "body /when required",
		`{"when":{"kind":"a","a":1}}`: "",
		`{"when":{"kind":"c","a":1}}`: "body /when required",
		`{"dependent":{"card":1}}`:    "body /dependent dependentRequired",
		`{"strict":{"a":1,"b":2}}`:    "",
		`{"strict":{"a/~":1}}`:        "body /strict/a~1~0 unevaluatedProperties",
		`{"contains":[1,2,1]}`:        "",
		`{"contains":[1,2]}`:          "body /contains minContains",
		`{"pet":{"kind":"cat"}}`:      "body /pet required",
		`{"pet":{"kind":"Dog"}}`:      "body /pet required\nbody /pet required\nbody /pet required",
		`{"sibling":"a"}`:             "body /sibling minLength",
		`{"sibling":"abcd"}`:          "body /sibling maxLength",
		`{"nullable":null}`:           "",
		`{"nullable":1}`:              "body /nullable type",
		`{"tree":{"v":1,"left":{"v":2,"right":{"v":"x"}}}}`: "body /tree/left/right/v type",
		`{"email":"nobody"}`:       "body /email format",
		`{"look":"zz"}`:            "",
		`{"unique":[1,1.0]}`:       "body /unique uniqueItems",
		`{"names":{"abc":1}}`:      "body /names propertyNames",
		`{"closed":{"b":1,"c":2}}`: "body /closed/b additionalProperties\nbody /closed/c additionalProperties",
		`{"step":7}`:               "body /step multipleOf",
		`{"step":100}`:             "body /step exclusiveMaximum",
		`{"step":0}`:               "body /step exclusiveMinimum",
		`[]`:                       "body type",
		`{"a":1e999}`:              "body syntax",
		`{"a":`:                    "body syntax",
		`{} {}`:                    "body syntax",
		"{\"a\":\"\xff\"}":         "body syntax",
		``:                         "body required",
	} {
		got, err := v.Request("createThing", validate.Request{Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, Body: []byte(body)})
		if diff := cmp.Diff(want, brief(t, got, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func part(header, body string) string {
	return "--b\r\nContent-Disposition: form-data; " + header + "\r\n\r\n" + body + "\r\n"
}

func TestRequestContentTypes(t *testing.T) {
	t.Parallel()
	v := shapes(t)
	const form, multi = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
	file := part("name=\"file\"; filename=\"f\"\r\nContent-Type: image/png\r\nX-Sum: 5", "\x00\xff")
	for _, c := range []struct{ contentType, body, want string }{
		{"", "x", "header Content-Type required"},
		{"/", "x", "header Content-Type contentType"},
		{"application/xml", "x", "header Content-Type contentType"},
		{"image/gif", "\x00", ""},
		{"text/plain", "12", ""},
		{"text/plain", "x", "body type"},
		{form, "n=1&l=1&l=2.5&o=%7B%22k%22%3A1%7D&p=1|2&d[x]=3", ""},
		{form, "n=x&l=y&o=%7B%7D&p=1|z&d[x]=w", "body /d/x type\nbody /l/0 type\nbody /n type\nbody /o required\nbody /p/1 type"},
		{form, "l=1", "body required"},
		{form, "n=%zz", "body encoding"},
		{form, "n=1&d[x]=2&d[x]=3", "body style"},
		{multi, file + part(`name="size"`, "5") + part(`name="meta"`, `{"a":1}`) + part(`name="files"`, "x") + "--b--\r\n", ""},
		{multi, file + part(`name="size"`, "5") + part("name=\"meta\"\r\nContent-Type: application/json", `{"a":1}`) + part(`name="files"`, "x") + "--b--\r\n", ""},
		{multi, file + part(`name="size"`, "x") + part(`name="meta"`, `{}`) + part(`name="files"`, "x") + part(`name="files"`, "y") + part(`name="no"`, "") + "--b--\r\n",
			"body /files maxItems\nbody /meta required\nbody /no additionalProperties\nbody /size type"},
		{multi, part("name=\"file\"; filename=\"f\"\r\nContent-Type: text/plain", "x") + "--b--\r\n", "body /file contentType\nbody /file required"},
		{multi, file, "body syntax"},
		{"multipart/form-data", file, "body syntax"},
	} {
		header := http.Header{}
		if c.contentType != "" {
			header.Set("Content-Type", c.contentType)
		}
		got, err := v.Request("createThing", validate.Request{Header: header, Body: []byte(c.body)})
		if diff := cmp.Diff(c.want, brief(t, got, err)); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", c.contentType, c.body, diff)
		}
	}
}

func TestResponse(t *testing.T) {
	t.Parallel()
	v := shapes(t)
	left := http.Header{"X-Left": {"5"}, "Content-Type": {"application/json"}}
	for _, c := range []struct {
		status     int
		header     http.Header
		body, want string
	}{
		{200, left, `{"id":1,"name":"a"}`, ""},
		{200, left, `{"id":1,"name":"a","secret":"x"}`, "body /secret writeOnly"},
		{200, left, `{"name":"a"}`, "body required"},
		{200, http.Header{"X-Left": {"x"}, "Content-Type": {"text/plain"}}, `{}`, "header Content-Type contentType\nheader X-Left type"},
		{200, nil, "", "header X-Left required\nbody required"},
		{204, nil, "", ""},
		{204, left, "x", "body unexpected"},
		{404, http.Header{"Content-Type": {"application/problem+json"}}, `{}`, "body required"},
		{500, nil, "", "status status"},
	} {
		got, err := v.Response("readThing", c.status, c.header, []byte(c.body))
		if diff := cmp.Diff(c.want, brief(t, got, err)); diff != "" {
			t.Errorf("%d %s (-want +got):\n%s", c.status, c.body, diff)
		}
	}
}

// A schema with properties is of an object, and one with items of a list, though it
// names no type. Forms are read so.
func TestTypesFollowFromMembers(t *testing.T) {
	t.Parallel()
	v := open(t, []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/lamp":{"post":{"operationId":"addLamp",
		"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"properties":{
			"size":{"properties":{"w":{"type":"integer"}},"required":["w"]},"tags":{"items":{"type":"integer"}},"note":{"not":{"type":"object"}}}}}}},
		"responses":{"200":{"description":"ok"}}}}}}`), validate.Limits{})
	for body, want := range map[string]string{
		"size=%7B%22w%22%3A1%7D&tags=1&note=a": "", "size=%7B%7D": "body /size required", "tags=1&tags=a": "body /tags/1 type", "note=%7B%7D": "",
	} {
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		got, err := v.Request("addLamp", validate.Request{Header: header, Body: []byte(body)})
		if diff := cmp.Diff(want, brief(t, got, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

// Responses of some statuses, and all to HEAD, have no body even where one is
// documented (RFC 9110, section 6.4.1).
func TestBareResponses(t *testing.T) {
	t.Parallel()
	const responses = `{"default":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}}}}}`
	v := open(t, []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/lamp":{
		"get":{"operationId":"getLamp","responses":`+responses+`},"head":{"operationId":"headLamp","responses":`+responses+`}}}}`), validate.Limits{})
	for _, c := range []struct {
		operation string
		status    int
		want      string
	}{
		{"getLamp", 200, "body required"}, {"getLamp", 400, "body required"},
		{"getLamp", 103, ""}, {"getLamp", 204, ""}, {"getLamp", 304, ""}, {"headLamp", 200, ""},
	} {
		got, err := v.Response(c.operation, c.status, nil, nil)
		if diff := cmp.Diff(c.want, brief(t, got, err)); diff != "" {
			t.Errorf("%s %d (-want +got):\n%s", c.operation, c.status, diff)
		}
	}
}

func TestReadOnlyMembersBelongToResponses(t *testing.T) {
	t.Parallel()
	v := shapes(t)
	for body, want := range map[string]string{
		`{"name":"a","secret":"x"}`:        "",
		`{"name":"a","secret":"x","id":1}`: "body /id readOnly",
		`{"name":"a"}`:                     "body required",
	} {
		got, err := v.Request("putUser", validate.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)})
		if diff := cmp.Diff(want, brief(t, got, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestCallbacksAreChecked(t *testing.T) {
	t.Parallel()
	got, err := shapes(t).Request("event", validate.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"at":"noon"}`)})
	if diff := cmp.Diff("body /at format", brief(t, got, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A variant may name a path parameter as the path that readers see does.
func TestVariantsTakeThePathOfTheDocument(t *testing.T) {
	t.Parallel()
	v := open(t, []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/{id}":{"get":{"operationId":"base","x-variants":[
		{"operationId":"readA","x-path":"/{a-id}","parameters":[{"name":"a-id","in":"path","required":true,"schema":{"type":"integer"}}]}]}}}}`), validate.Limits{})
	for id, want := range map[string]string{"5": "", "x": "path a-id type"} {
		got, err := v.Request("readA", validate.Request{Path: map[string]string{"id": id}})
		if diff := cmp.Diff(want, brief(t, got, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

func TestUnknownOperations(t *testing.T) {
	t.Parallel()
	v := shapes(t)
	_, request := v.Request("nobody", validate.Request{})
	_, response := v.Response("nobody", 200, nil, nil)
	_, warnings := v.Warnings("nobody")
	for _, err := range []error{request, response, warnings} {
		if f := fault.As(err); f == nil || f.Kind != fault.NotFound {
			t.Errorf("an unknown operation gives %v", err)
		}
	}
}

func TestOperationsAreCheckedAtTheSameTime(t *testing.T) {
	t.Parallel()
	v := shapes(t)
	var wg sync.WaitGroup
	for range 8 {
		for _, id := range []string{"createThing", "putUser", "readThing", "event"} {
			wg.Go(func() {
				if _, err := v.Request(id, validate.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"pet":{"kind":"cat"}}`)}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
}

func BenchmarkValidBody(b *testing.B) {
	v := shapes(b)
	r := validate.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"typed":"a","const":3,"prefix":["a",1],"when":{"kind":"a","a":1},"pet":{"kind":"cat","meow":true},"tree":{"v":1,"left":{"v":2}}}`)}
	for b.Loop() {
		if list, err := v.Request("createThing", r); err != nil || len(list) > 0 {
			b.Fatal(list, err)
		}
	}
}
