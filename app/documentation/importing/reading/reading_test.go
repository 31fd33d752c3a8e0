package reading

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// read reads a document and returns its first operation's object.
func read(t *testing.T, text string) (*Reading, *tree.Node) {
	t.Helper()
	r, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	n, err := tree.Read(r.Document.Operations[0].Raw)
	if err != nil {
		t.Fatal(err)
	}
	return r, n
}

func check(t *testing.T, n *tree.Node, want map[string]string) {
	t.Helper()
	for pointer, value := range want {
		if got := n.At(pointer).Display(); got != value {
			t.Errorf("%s is %s, want %s", pointer, got, value)
		}
	}
}

const swaggerHead = "swagger: '2.0'\ninfo: {title: T, version: 1}\nhost: api.example.com\nbasePath: /v1\nschemes: [https]\n"

func TestSwaggerForms(t *testing.T) {
	t.Parallel()
	_, op := read(t, swaggerHead+`
paths:
  /files:
    post:
      parameters:
        - {name: first, in: formData, type: file, required: true}
        - {name: second, in: formData, type: file}
        - {name: tags, in: formData, type: array, items: {type: string}, collectionFormat: multi}
        - {name: ids, in: query, type: array, items: {type: integer}, collectionFormat: pipes}
        - {name: odd, in: query, type: array, items: {type: integer}, collectionFormat: tsv}
      responses: {200: {description: OK, schema: {type: object, x-nullable: true, properties: {when: {type: string, x-nullable: true, enum: [NO, "no", on]}}}}}
`)
	form := "/requestBody/content/multipart~1form-data"
	check(t, op, map[string]string{
		form + "/schema/type":                                                    "object",
		form + "/schema/properties/first/contentMediaType":                       "application/octet-stream",
		form + "/schema/properties/second/contentMediaType":                      "application/octet-stream",
		form + "/schema/required":                                                `["first"]`,
		form + "/encoding/tags/explode":                                          "true",
		"/parameters/0/style":                                                    "pipeDelimited",
		"/parameters/1/x-collectionFormat":                                       "tsv",
		"/responses/200/content/application~1json/schema/properties/when/type":   `["string","null"]`,
		"/responses/200/content/application~1json/schema/properties/when/enum/0": "NO",
	})
}

func TestSwaggerSecurityNames(t *testing.T) {
	t.Parallel()
	r, op := read(t, swaggerHead+`
securityDefinitions:
  OAuth2 Application: {type: oauth2, flow: accessCode, authorizationUrl: https://a.example.com, tokenUrl: https://t.example.com, scopes: {read: Read}}
security: [{OAuth2 Application: [read]}]
paths: {/a: {get: {security: [{OAuth2 Application: [read]}], responses: {200: {description: OK}}}}}
`)
	check(t, op, map[string]string{"/security/0/OAuth2_Application/0": "read"})
	frame, err := tree.Read(r.Document.Frame)
	if err != nil {
		t.Fatal(err)
	}
	check(t, frame, map[string]string{
		"/servers/0/url": "https://api.example.com/v1",
		"/components/securitySchemes/OAuth2_Application/flows/authorizationCode/scopes/read": "Read",
	})
	if f := r.Found.All[0]; f.Action != finding.Repaired || f.Line == 0 || !strings.Contains(f.Message, "OAuth2 Application") {
		t.Errorf("finding %+v", f)
	}
}

const collection = `{
 "info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
 "variable": [{"key": "baseUrl", "value": "https://api.example.com/v2"}],
 "item": [{
  "name": "Orders", "description": "All about orders",
  "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "X-Key"}, {"key": "value", "value": "{{secret}}"}]},
  "item": [
   {"name": "Get an order", "request": {"method": "GET", "header": [{"key": "X-Key", "value": "{{secret}}"}],
     "url": {"host": ["{{baseUrl}}"], "path": ["orders", ":id"], "query": [{"key": "full", "value": "yes"}], "variable": [{"key": "id", "value": "015711521886"}]}},
     "response": [{"name": "Found", "code": 200, "header": [{"key": "Content-Type", "value": "application/json"}], "body": "{\"id\": \"015711521886\"}",
       "originalRequest": {"method": "GET", "url": {"raw": "{{baseUrl}}/orders/:id?full=no", "host": ["{{baseUrl}}"], "path": ["orders", ":id"], "query": [{"key": "full", "value": "no"}]}}}]},
   {"name": "Pay", "request": {"method": "POST", "url": "{{baseUrl}}/orders/{{orderId}}/pay", "body": {"mode": "raw", "raw": "{\"by\": \"card\", \"amount\": {{amount}}}"}}},
   {"name": "Pay by transfer", "request": {"method": "POST", "url": "{{baseUrl}}/orders/:order/pay", "body": {"mode": "raw", "raw": "{\"by\": \"transfer\"}", "options": {"raw": {"language": "json"}}}}},
   {"name": "Pay later", "request": {"method": "POST", "url": "{{baseUrl}}/orders/:x/pay", "body": {"mode": "raw", "raw": "{\"by\": \"invoice\", \"days\": 14}"}}}
  ]}]}`

func TestPostmanCollection(t *testing.T) {
	t.Parallel()
	r, get := read(t, collection)
	if r.Operations != 4 || len(r.Document.Operations) != 2 {
		t.Fatalf("%d requests make %d operations, want 4 and 2", r.Operations, len(r.Document.Operations))
	}
	check(t, get, map[string]string{
		"/tags/0": "Orders", "/parameters/0/name": "id", "/parameters/0/example": "015711521886", "/parameters/1/name": "full",
		"/parameters/1/example": "no", "/security/0/apiKey": "[]", "/responses/200/content/application~1json/examples/found/value/id": "015711521886",
	})
	if got := len(get.List("parameters")); got != 2 {
		t.Errorf("%d parameters: the credential is one of them", got)
	}
	pay, err := tree.Read(r.Document.Operations[1].Raw)
	if err != nil {
		t.Fatal(err)
	}
	examples := "/requestBody/content/application~1json/examples/"
	check(t, pay, map[string]string{
		examples + "pay/value/by": "card", examples + "pay/value/amount": "{{amount}}", examples + "pay-by-transfer/value/by": "transfer", examples + "pay-later/value/days": "14",
		"/requestBody/content/application~1json/schema/properties/days/type": "integer",
	})
	if path := r.Document.Operations[1].Path; path != "/orders/{orderId}/pay" {
		t.Errorf("path %s", path)
	}
	merged := 0
	for _, f := range r.Found.All {
		if strings.Contains(f.Message, "became an example") && f.Line > 0 {
			merged++
		}
	}
	if merged != 2 {
		t.Errorf("%d findings name the merged requests, want 2: %v", merged, r.Found.All)
	}
	frame, err := tree.Read(r.Document.Frame)
	if err != nil {
		t.Fatal(err)
	}
	check(t, frame, map[string]string{"/servers/0/url": "https://api.example.com/v2"})
}

func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchive(t *testing.T) {
	t.Parallel()
	r, op := read(t, string(zipped(t, map[string]string{
		"api/openapi.yaml":       "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /pets:\n    $ref: paths/pets.yaml\n",
		"api/paths/pets.yaml":    "get:\n  parameters:\n    - $ref: ../parameters.yaml#/Limit\n  responses:\n    '200':\n      description: OK\n      content:\n        application/json:\n          schema: {$ref: ../schemas/pet.yaml}\n",
		"api/parameters.yaml":    "Limit: {name: limit, in: query, schema: {type: integer}}\n",
		"api/schemas/pet.yaml":   "type: object\nproperties:\n  parent: {$ref: pet.yaml}\n  owner: {$ref: owner.yaml}\n",
		"api/schemas/owner.yaml": "type: object\nproperties: {name: {type: string}}\n",
	})))
	check(t, op, map[string]string{
		"/parameters/0/$ref": "#/components/parameters/Limit",
		"/responses/200/content/application~1json/schema/$ref": "#/components/schemas/pet",
	})
	if len(r.Document.Schemas) != 2 || !strings.Contains(string(r.Document.Schemas[0].Raw), `"#/components/schemas/pet"`) {
		t.Errorf("schemas %s", r.Document.Schemas)
	}
}

func TestOpenAPI32(t *testing.T) {
	t.Parallel()
	r, op := read(t, `
openapi: 3.2.0
$self: https://example.com/api
info: {title: T, version: '1'}
tags: [{name: a, summary: A, kind: nav}]
paths:
  /events:
    get:
      tags: [a]
      responses: {200: {summary: Events, content: {application/jsonl: {itemSchema: {type: object}}}}}
    query: {responses: {200: {description: OK}}}
`)
	check(t, op, map[string]string{"/responses/200/description": "Events", "/responses/200/content/application~1jsonl/schema/type": "array"})
	if r.Operations != 2 || !strings.Contains(fmt.Sprint(r.Found.All), "x-query") {
		t.Errorf("%d operations, findings %v", r.Operations, r.Found.All)
	}
}

// hostile lists documents that are refused.
func hostile(t *testing.T) map[string][]byte {
	deep := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 10), ","))
	}
	list := map[string][]byte{
		"deep": []byte(deep), "bomb": []byte("openapi: 3.1.0\n" + bomb), "self alias": []byte("openapi: 3.1.0\nx: &a [*a]\n"), "binary": {0, 1, 2, 3}, "empty": nil,
		"text": []byte("hello"), "postman 1": []byte(`{"requests":[],"order":[]}`), "async": []byte("asyncapi: 3.0.0"), "swagger 1": []byte(`{"swaggerVersion":"1.2"}`),
		"openapi 4": []byte("openapi: 4.0.0"), "zip of nothing": zipped(t, map[string]string{"a.txt": "x"}), "broken zip": []byte("PK\x03\x04abc"),
	}
	for _, ref := range []string{"http://127.0.0.1:1/a", "file:///etc/passwd", "/etc/passwd", "../../etc/passwd", "./other.yaml#/a", "//host/a"} {
		head := "info: {title: T, version: '1'}\npaths: {/a: {get: {responses: {200: {description: OK, "
		list["reference 3 "+ref] = []byte("openapi: 3.1.0\n" + head + "content: {application/json: {schema: {$ref: '" + ref + "'}}}}}}}}")
		list["reference 2 "+ref] = []byte("swagger: '2.0'\n" + head + "schema: {$ref: '" + ref + "'}}}}}}")
		list["archive "+ref] = zipped(t, map[string]string{"openapi.yaml": "openapi: 3.1.0\n" + head + "content: {application/json: {schema: {$ref: '" + ref + "'}}}}}}}}"})
	}
	for name, text := range map[string]string{
		"keys twice": "openapi: 3.1.0\nopenapi: 3.1.0", "anchor of nothing": "openapi: *a", "tab": "openapi:\t\n\t- a: [", "list": "[1, 2]", "number": "12", "null": "null", "cut": `{"openapi": "3.1.0", "info"`,
		"wide alias": "openapi: 3.1.0\na: &a [" + strings.Repeat("1,", 2000) + "1]\nb: [" + strings.Repeat("*a,", 2000) + "*a]",
		"deep list":  "openapi: 3.1.0\nx: " + strings.Repeat("[", 100_000), "deep flow": strings.Repeat("{a: ", 50_000), "deep block": deepBlock(5000), "merge of itself": "a: &a\n  <<: *a\n",
		"control": "openapi: \x01", "two documents": "--- 1\n--- 2", "no title": "openapi: 3.1.0", "raml": "#%RAML 1.0\ntitle: A", "wsdl": "<definitions/>", "html": "<!doctype html><title>Sign in</title>",
		"graphql": "type Query { a: Int }", "swagger 3": "swagger: '3.0'", "openapi 2": "openapi: 2.0.0", "no paths": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: []", "paths of text": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: text",
		"info of text": "openapi: 3.1.0\ninfo: T\npaths: {}", "postman of text": `{"info": {"name": "A"}, "item": "a"}`, "empty object": "{}", "binary tag": "openapi: !!binary aGk=", "quotes": `openapi: "3.1.0`,
	} {
		list[name] = []byte(text)
	}
	loop := map[string]string{"openapi.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {$ref: a.yaml}}", "a.yaml": "$ref: b.yaml", "b.yaml": "$ref: a.yaml"}
	list["archive loop"] = zipped(t, loop)
	return list
}

// deepBlock is a block mapping within itself, many times.
func deepBlock(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// Documents that are no documents are refused soon, and nothing that they refer to is
// asked for.
func TestHostileDocumentsAreRefused(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dialled := make(chan struct{}, 100)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			c.Close()
			dialled <- struct{}{}
		}
	}()
	list := hostile(t)
	for _, at := range []string{"http", "https"} {
		list["listener by "+at] = fmt.Appendf(nil, "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {$ref: '%s://%s/a.yaml'}}", at, listener.Addr())
	}
	for name, data := range list {
		began := time.Now()
		_, err := Read(data)
		if fault.As(err) == nil {
			t.Errorf("%s: %v, want a fault", name, err)
		}
		if took := time.Since(began); took > time.Second*slack {
			t.Errorf("%s took %v", name, took)
		}
	}
	if len(list) < 60 || len(dialled) > 0 {
		t.Errorf("%d documents were read, and %d calls made", len(list), len(dialled))
	}
}

// slack is for machines that do other things at the same time.
const slack = 4

// A real document gives every operation that a plain count finds in it, and what was
// made of it can be read again.
func TestRealDocuments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(documents(t))
	if err != nil {
		t.Fatal(err)
	}
	operation := regexp.MustCompile(`(?m)^    ?"?(get|put|post|delete|options|head|patch|trace)"?:\s*$`)
	for _, file := range files {
		name := filepath.Base(file)
		if filepath.Ext(name) == "" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		made := len(r.Document.Operations) + len(r.Document.Callbacks)
		if r.Format == formatPostman {
			if want := bytes.Count(data, []byte(`"originalRequest"`)); want == 0 || r.Operations == 0 || made == 0 {
				t.Errorf("%s: %d requests make %d operations", name, r.Operations, made)
			}
		} else if want := len(operation.FindAll(data, -1)); r.Operations != made || (r.Format == formatSwagger && want != made) {
			t.Errorf("%s: %d operations of %d, a count of lines finds %d", name, made, r.Operations, want)
		}
		a, err := openapi.Assemble(r.Document.Parts)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := openapi.Read(a.Root.JSON())
		if err != nil || len(again.Operations) != len(r.Document.Operations) || len(again.Schemas) != len(r.Document.Schemas) {
			t.Errorf("%s: reading it again: %v", name, err)
		}
	}
}

// documents finds the folder of real documents beside the project or above it.
func documents(t *testing.T) string {
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		pattern := filepath.Join(parent, "shared/data/documents/*")
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return pattern
		}
	}
	t.Skip("the folder of real documents is absent")
	return ""
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(collection))
	f.Add([]byte(swaggerHead + "paths: {/a: {get: {responses: {200: {description: OK}}}}}"))
	f.Add([]byte(`{"openapi":"3.2.0","info":{"title":"","version":""},"paths":{"/a":{"query":{}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(data)
		if err != nil {
			if fault.As(err) == nil {
				t.Fatal(err)
			}
			return
		}
		if _, err := openapi.Assemble(r.Document.Parts); err != nil && fault.As(err) == nil {
			t.Fatal(err)
		}
	})
}
