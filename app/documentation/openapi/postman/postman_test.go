package postman_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/postman"
	"heliograph/app/documentation/openapi/sample"
)

// official is Postman's own schema of collections, its files bundled into one.
func official(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("testdata/collection-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///collection", value); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:///collection")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func source(t *testing.T, name string, data []byte) (postman.Source, *model.API) {
	t.Helper()
	read, err := openapi.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	api, err := model.Compile(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	s := postman.Source{ID: name, Name: api.Title, Base: "base_url", Server: "https://api.example.com", Address: func(string) string { return "https://api.example.com" }}
	for _, c := range api.Categories {
		s.Folders = append(s.Folders, postman.Folder{Name: c.Name, Description: c.Description, Endpoints: c.Endpoints})
	}
	return s, api
}

// The collection of every document that we have is valid by Postman's schema,
// has a request for each endpoint, and is always the same.
func TestCollectionsAreValid(t *testing.T) {
	t.Parallel()
	schema := official(t)
	for _, d := range append(corpus.Seeds(t), corpus.Real(t)...) {
		s, api := source(t, d.Name, d.Data)
		made, err := postman.Collection(s)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := postman.Collection(s)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(made))
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		if err := schema.Validate(value); err != nil || !bytes.Equal(made, again) {
			t.Errorf("%s: %.1000v", d.Name, err)
		}
		endpoints := 0
		for _, c := range api.Categories {
			endpoints += len(c.Endpoints)
		}
		if n := bytes.Count(made, []byte(`"request": {`)); n != endpoints {
			t.Errorf("%s: %d requests for %d endpoints", d.Name, n, endpoints)
		}
	}
}

// Every named example of our contracts is saved, and no variable is used that
// neither the collection nor the environment has.
func TestCollectionsAreComplete(t *testing.T) {
	t.Parallel()
	for _, d := range corpus.Seeds(t) {
		s, api := source(t, d.Name, d.Data)
		made, _ := postman.Collection(s)
		environment, err := postman.Environment(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range api.Categories {
			for _, e := range c.Endpoints {
				for _, b := range e.Bodies {
					for _, x := range b.Examples {
						if value, _ := json.Marshal(x.Value); x.Node != nil && strings.HasSuffix(b.ContentType, "json") && !bytes.Contains(made, unescape(value)) {
							t.Errorf("%s %s lacks the example %s", d.Name, e.Slug, x.Name)
						}
					}
				}
			}
		}
		known := regexp.MustCompile(`"key": "([^"]*)"`).FindAllSubmatch(slices.Concat(environment, made[bytes.LastIndex(made, []byte(`"variable": [`)):]), -1)
		for _, used := range regexp.MustCompile(`\{\{([^}"]*)\}\}`).FindAllSubmatch(made, -1) {
			if isExample := strings.Contains(string(d.Data), string(used[0])); !isExample && !slices.ContainsFunc(known, func(k [][]byte) bool { return bytes.Equal(k[1], used[1]) }) {
				t.Errorf("%s uses the variable %s, which is nowhere", d.Name, used[1])
			}
		}
		if !bytes.Contains(environment, []byte(`"_postman_variable_scope": "environment"`)) {
			t.Errorf("%s: %s", d.Name, environment)
		}
	}
}

// unescape writes <, > and & as collections have them.
func unescape(b []byte) []byte {
	return []byte(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(b)))
}

const odd = `{"openapi":"3.1.0","info":{"title":"Odd","version":"1.0"},
"components":{"securitySchemes":{
	"query":{"type":"apiKey","in":"query","name":"api key"},"basic":{"type":"http","scheme":"basic"},
	"bearer":{"type":"http","scheme":"bearer"},"header":{"type":"apiKey","in":"header","name":"X-Key"}}},
"paths":{
	"/upload:{session-id}":{"post":{"operationId":"upload","security":[{"query":[]}],
		"parameters":[{"name":"session-id","in":"path","required":true,"schema":{"type":"string"},"example":"abc"}],
		"requestBody":{"content":{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}},"responses":{"200":{"description":"Done."}}}},
	"/things/{thing-id}/parts/{part}":{"get":{"operationId":"part","security":[{"basic":[]}],
		"parameters":[{"name":"thing-id","in":"path","required":true,"schema":{"type":"string"},"example":"a/b"},{"name":"part","in":"path","required":true,"schema":{"type":"integer"}},
			{"name":"tag","in":"query","schema":{"type":"array","items":{"type":"string"}},"example":["x","y"]}],
		"responses":{"default":{"description":"Any."},"4XX":{"description":"Wrong.","content":{"text/plain":{"example":"no"}}}}}},
	"/files":{"post":{"operationId":"send","security":[{"bearer":[],"header":[]}],
		"requestBody":{"content":{"multipart/form-data":{"schema":{"type":"object","required":["sheet"],"properties":{"sheet":{"type":"string","format":"binary"},"note":{"type":"string"}}},
			"examples":{"a":{"value":{"note":"n"}}}},"application/x-www-form-urlencoded":{"examples":{"b":{"summary":"As a form","value":{"note":"n & m"}}}}}},
		"responses":{"201":{"description":"Made.","content":{"application/json":{"examples":{"a":{"value":{"id":1}}}}}}}}}}}`

// What is unusual: a parameter within a segment, a file as the body, forms, three
// kinds of credentials, two at once, status ranges.
func TestOddEndpoints(t *testing.T) {
	t.Parallel()
	s, _ := source(t, "odd", []byte(odd))
	made, err := postman.Collection(s)
	if err != nil {
		t.Fatal(err)
	}
	environment, err := postman.Environment(s)
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, slices.Concat([]byte("["), made, []byte(","), environment, []byte("]"))); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"raw":"{{base_url}}/upload:{{session-id}}"`, `{"key":"session-id","value":"abc","type":"string"}`, `"mode":"file"`,
		`{"key":"value","value":"{{api_key}}","type":"string"},{"key":"in","value":"query","type":"string"}`,
		`"path":["things",":thing-id","parts",":part"]`, `{"key":"thing-id","value":"a/b"}`,
		`{"key":"tag","value":"x","disabled":true},{"key":"tag","value":"y","disabled":true}`,
		`"basic":[{"key":"username","value":"{{basic_username}}","type":"string"}`,
		`"bearer":[{"key":"token","value":"{{bearer_token}}","type":"string"}]`, `{"key":"X-Key","value":"{{X-Key}}"}`,
		`{"key":"sheet","value":"","type":"file","src":""}`, `"mode":"urlencoded"`, `"name":"201 As a form"`, `"name":"201 a"`, `"code":400`,
		`{"key":"bearer_token","value":"","type":"secret","enabled":true}`, `{"key":"basic_password","value":"","type":"secret","enabled":true}`,
	} {
		if !bytes.Contains(compact.Bytes(), []byte(want)) {
			t.Errorf("the export lacks %s", want)
		}
	}
	if t.Failed() {
		t.Logf("%s", compact.Bytes())
	}
}

const styles = `{"openapi":"3.1.0","info":{"title":"Styles","version":"1.0"},
"components":{"securitySchemes":{"Az09.za-Z":{"type":"http","scheme":"bearer"}}},
"paths":{"/search":{"post":{"operationId":"search","security":[{"Az09.za-Z":[]}],
	"parameters":[
		{"name":"filter","in":"query","required":true,"style":"deepObject","explode":true,"schema":{"type":"object"},"example":{"size":1,"color":"red"}},
		{"name":"near","in":"query","required":true,"schema":{"type":"object"},"example":{"lat":1.5,"lon":2}},
		{"name":"flat","in":"query","required":true,"explode":false,"schema":{"type":"object"},"example":{"a":1}},
		{"name":"session","in":"cookie","required":true,"schema":{"type":"string"},"example":"abc"},
		{"name":"seen","in":"cookie","required":true,"schema":{"type":"string"},"example":"1"},
		{"name":"none","in":"cookie","schema":{"type":"string"},"example":"2"}],
	"requestBody":{"content":{
		"multipart/form-data":{"schema":{"type":"object","required":["note"],"properties":{"note":{"type":"string"},"title":{"type":"string"}}},"examples":{"plain":{"value":{"note":"n"}}}},
		"application/json":{"examples":{"wide":{"value":{"q":1}}}}}},
	"responses":{"400":{"description":"Wrong."},"200":{"description":"Found.","content":{"text/plain":{"example":"x"}}},"202":{"description":"Later."}}}},
"/quiet":{"post":{"operationId":"quiet","requestBody":{"content":{"application/json":{"examples":{"first":{"value":1},"second":{"value":2}}}}},"responses":{"204":{"description":"Done."}}}}}}`

// Parameters are sent in their styles, and a request that no response has the
// name of is saved with the first success.
func TestStyles(t *testing.T) {
	t.Parallel()
	s, _ := source(t, "styles", []byte(styles))
	made, err := postman.Collection(s)
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, made); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		`{"key":"filter[size]","value":"1"}`: 5, `{"key":"filter[color]","value":"red"}`: 5, `{"key":"lat","value":"1.5"}`: 5, `{"key":"lon","value":"2"}`: 5, `{"key":"flat","value":"a,1"}`: 5,
		`{"key":"Cookie","value":"session=abc; seen=1"}`: 5, `"bearer":[{"key":"token","value":"{{Az09_za-Z_token}}"`: 1,
		`"_postman_previewlanguage":"text","header":[{"key":"Content-Type","value":"text/plain"}]`: 2,
		`"raw":"{{base_url}}/search?filter[size]=1&filter[color]=red&lat=1.5&lon=2&flat=a,1"`:      5,
		`"name":"204 second"`: 1, `"name":"200 wide"`: 1, `"name":"202 wide"`: 0, `"type":"file"`: 0, `"key":"title"`: 0,
	} {
		if n := bytes.Count(compact.Bytes(), []byte(text)); n != want {
			t.Errorf("%d times %s, want %d", n, text, want)
		}
	}
	if t.Failed() {
		t.Logf("%s", compact.Bytes())
	}
}

// A credential is sent once, though a parameter has its name too. A file that is not
// required is left out of an example without it.
func TestCredentialsAndFilesAreSentOnce(t *testing.T) {
	t.Parallel()
	s, _ := source(t, "once", []byte(`{"openapi":"3.1.0","info":{"title":"Once","version":"1.0"},
		"components":{"securitySchemes":{"key":{"type":"apiKey","in":"query","name":"api_key"},"id":{"type":"apiKey","in":"query","name":"client"}}},
		"paths":{"/lamps":{"post":{"operationId":"addLamp","security":[{"key":[],"id":[]}],"parameters":[
			{"name":"API_KEY","in":"query","required":true,"schema":{"type":"string"},"example":"planted"},
			{"name":"page","in":"query","required":true,"schema":{"type":"integer"},"example":3}],
			"requestBody":{"content":{"multipart/form-data":{"schema":{"type":"object","required":["sheet"],"properties":{
				"sheet":{"type":"string","format":"binary"},"photo":{"type":"string","format":"binary"}}},"examples":{"a":{"value":{"sheet":"s"}}}}}},
			"responses":{"200":{"description":"ok"}}}}}}`))
	made, err := postman.Collection(s)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"planted": false, "page=3": true, `"sheet"`: true, `"photo"`: false} {
		if bytes.Contains(made, []byte(text)) != want {
			t.Errorf("%s is in the collection: %t, want %t\n%s", text, !want, want, made)
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, made); err != nil {
		t.Fatal(err)
	}
	if requests, files := bytes.Count(compact.Bytes(), []byte(`"mode":"formdata"`)), bytes.Count(compact.Bytes(), []byte(`"key":"sheet"`)); requests == 0 || files != requests {
		t.Errorf("%d requests send the file %d times", requests, files)
	}
}

// Values of queries arrive as samples send them: a plus and a percent sign, lists with
// the separator of their style, and parameters that are written in a content type.
func TestQueryValuesArriveAsTheyAre(t *testing.T) {
	t.Parallel()
	const document = `{"openapi":"3.1.0","info":{"title":"Q","version":"1"},"paths":{"/q":{"get":{"operationId":"q","parameters":[
		{"name":"q","in":"query","required":true,"schema":{"type":"string"},"example":"100% & more + x"},
		{"name":"pipes","in":"query","required":true,"style":"pipeDelimited","explode":false,"schema":{"type":"array","items":{"type":"string"}},"example":["x","y"]},
		{"name":"json","in":"query","required":true,"content":{"application/json":{"schema":{"type":"object"},"example":{"a":[1,"é"]}}}}],
		"responses":{"200":{"description":"Done"}}}}}}`
	s, api := source(t, "q", []byte(document))
	made, err := postman.Collection(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"value": "100%25 & more %2B x"`, `"value": "x|y"`, `"value": "{\"a\":[1,\"é\"]}"`} {
		if !bytes.Contains(made, []byte(want)) {
			t.Errorf("no %s in\n%s", want, made)
		}
	}
	e := api.Categories[0].Endpoints[0]
	if code, _ := sample.Write(e, "https://api.example.com", "curl", 0); !strings.Contains(code, "json=%7B%22a%22%3A%5B1%2C%22%C3%A9%22%5D%7D") {
		t.Errorf("a sample sends %v", code)
	}
}
