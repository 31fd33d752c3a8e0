package sample_test

import (
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
)

const spoilt = `
openapi: 3.1.0
info: { title: T, version: "1" }
security: [{ key: [] }]
paths:
  /orders/{id}:
    post:
      operationId: order
      parameters:
        - { name: id, in: path, required: true, schema: { type: string }, example: "1" }
        - { name: page, in: query, required: true, schema: { type: string }, example: "2" }
      requestBody:
        content:
          application/json:
            examples:
              first: { value: { lamp: { colour: red, size: 1 }, to: Asha } }
              second: { value: { to: Ravi } }
      responses:
        "400":
          description: Wrong.
          content:
            application/json:
              examples:
                patched: { value: {}, x-request: { body: { lamp: { colour: null, size: 2 }, note: x } } }
                other: { value: {}, x-request: { example: second, body: { to: Nobody } } }
                text: { value: {}, x-request: { text: '{"to": ' } }
                path: { value: {}, x-request: { parameters: { id: "9", page: null } } }
                key: { value: {}, x-request: { key: wrong } }
                same: { value: {}, x-request: { body: { colour: null }, parameters: { other: "1" } } }
                missing: { value: {}, x-request: { example: third, key: wrong } }
                none: { value: {} }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: apikey }
`

// The request of an error is one that succeeds with the changes that the document
// names. A change that the operation does not notice is no request of its own.
func TestWriteCause(t *testing.T) {
	t.Parallel()
	read, err := openapi.Read([]byte(spoilt))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := model.Compile(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	e := compiled.Categories[0].Endpoints[0]
	want := map[string][]string{
		"patched": {"/orders/1?page=2", "apikey: <API_KEY>", `{ "lamp": { "size": 2 }, "to": "Asha", "note": "x" }`},
		"other":   {`{ "to": "Nobody" }`},
		"text":    {`'{"to": '`, "Content-Type: application/json"},
		"path":    {"/orders/9 "},
		"key":     {"apikey: wrong", `"colour": "red"`},
	}
	for _, x := range e.Responses[0].Bodies[0].Examples {
		text, ok := sample.WriteCause(e, "https://api.example.com", "curl", x.Cause)
		text = strings.Join(strings.Fields(text), " ")
		if ok != (want[x.Name] != nil) {
			t.Errorf("%s is a request: %v\n%s", x.Name, ok, text)
		}
		for _, part := range want[x.Name] {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %q:\n%s", x.Name, part, text)
			}
		}
	}
	for _, x := range e.Responses[0].Bodies[0].Examples {
		text, ok := sample.WriteCause(e, "https://api.example.com", "javascript", x.Cause)
		key := map[bool]string{true: `apikey: "wrong"`, false: `apikey: "<API_KEY>"`}[x.Name == "key"]
		if ok && (!strings.Contains(text, "https://api.example.com/") || !strings.Contains(text, key) || !strings.Contains(text, "belongs on a server")) {
			t.Errorf("%s has not the key, the address and where the key belongs:\n%s", x.Name, text)
		}
	}
	if first := e.Bodies[0].Examples[0].Value; !strings.Contains(first, `"colour": "red"`) || strings.Contains(first, "note") {
		t.Errorf("the example was changed:\n%s", first)
	}
	if _, ok := sample.WriteCause(e, "", "cobol", e.Responses[0].Bodies[0].Examples[0].Cause); ok {
		t.Error("a sample in an unknown language was written")
	}
}
