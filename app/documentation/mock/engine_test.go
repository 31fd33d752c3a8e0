package mock

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
)

// pets is the document of the tests.
const pets = `
openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: "https://pets.example/v3"}]
security: [{key: []}]
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    token: {type: http, scheme: bearer}
  schemas:
    Cat: {type: object, required: [kind, name], properties: {kind: {const: cat}, name: {type: string, maxLength: 10}, lives: {type: integer, maximum: 9}}}
    Dog: {type: object, required: [kind, name], properties: {kind: {const: dog}, name: {type: string}, tricks: {type: array, items: {type: string}}}}
    Pet:
      oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}]
      discriminator: {propertyName: kind, mapping: {cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog"}}
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: {type: object, properties: {data: {type: array, items: {$ref: "#/components/schemas/Cat"}}}}
              examples:
                some: {value: {data: [{kind: cat, name: Mia}, {kind: cat, name: Tom}]}}
    post:
      operationId: createPet
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Pet"}
            examples:
              cat: {value: {kind: cat, name: Mia}}
              lazy: {value: {kind: cat, name: Garfield, lives: 3}}
              dog: {value: {kind: dog, name: Rex, tricks: [sit]}}
      responses:
        "201":
          description: created
          headers:
            Location: {schema: {type: string}, example: /pets/1}
            Set-Cookie: {schema: {type: string}, example: a=b}
            Clear-Site-Data: {schema: {type: string}, example: '"*"'}
          content:
            application/json:
              examples:
                cat: {value: {id: 1, kind: cat}}
                lazy: {value: {id: 2, kind: cat}}
                dog: {value: {id: 3, kind: dog}}
        "400":
          description: bad
          content:
            application/json:
              examples:
                short: {value: {error: too short}}
                long: {value: {error: too long}}
        default: {description: any, content: {application/json: {schema: {type: object, required: [error], properties: {error: {type: string}}}}}}
  /pets/mine:
    get:
      operationId: myPet
      security: []
      responses: {"200": {description: ok, content: {text/plain: {example: mine}, application/json: {example: {mine: true}}}}}
  /pets/{id}:
    get:
      operationId: getPet
      security: [{key: []}, {token: []}]
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, maxLength: 12}}
      responses:
        "200": {description: ok, content: {application/vnd.api+json: {example: {id: "12345678901234567890"}}}}
        "404": {description: none, content: {application/json: {example: {error: none}}}}
    delete:
      operationId: removePet
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      responses: {"204": {description: gone}}
  /upload:{session}:
    post:
      operationId: upload
      parameters:
        - {name: session, in: path, required: true, schema: {type: string}}
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: {type: object, required: [n], properties: {n: {type: integer}}}
      responses:
        "200":
          description: ok
          content:
            application/json: {schema: {type: object, additionalProperties: false, properties: {id: {type: string, format: uuid}, size: {type: integer, minimum: 5}, code: {type: string, pattern: "^[A-Z]{3}-\\d{4}$"}}}}
  /photo:
    get:
      operationId: photo
      responses: {"200": {description: ok, content: {image/*: {}}}}
  /rules:
    post:
      operationId: rules
      requestBody: {content: {application/json: {schema: {type: object}}}}
      x-mock:
        - {when: {body: {/to: "0001"}}, code: 409, example: clash}
        - {when: {body: {/to: "*"}}, example: sent}
      responses:
        "200": {description: ok, content: {application/json: {examples: {none: {value: 1}, sent: {value: 2}}}}}
        "409": {description: clash, content: {application/json: {examples: {clash: {value: 3}}}}}
`

func newTestEngine(t testing.TB, document string) *engine {
	t.Helper()
	return newEngine(assemble(t, document))
}

func assemble(t testing.TB, document string) *openapi.Assembly {
	t.Helper()
	d, err := openapi.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	a, err := openapi.Assemble(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// request makes a request from a line such as "POST /pets?a=b" and headers such
// as "Accept: text/plain". An API key is sent unless a header says otherwise.
func request(line, body string, headers ...string) Request {
	method, target, _ := strings.Cut(line, " ")
	path, query, _ := strings.Cut(target, "?")
	r := Request{Method: method, Path: path, Query: query, Header: http.Header{"X-Key": {"<API_KEY>"}}, Body: []byte(body)}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if r.Header.Del(name); value != "" {
			r.Header.Set(name, value)
		}
	}
	return r
}

func compact(t testing.TB, body []byte) string {
	t.Helper()
	var v any
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	made, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(made)
}

func TestEngineAnswers(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, pets)
	cat := `{"kind":"cat","name":"Kit"}`
	for _, c := range []struct {
		name    string
		request Request
		status  int
		body    string // JSON compact, or the kind of the problem
		rule    string
	}{
		{"first example", request("GET /pets", ""), 200, `{"data":[{"kind":"cat","name":"Mia"},{"kind":"cat","name":"Tom"}]}`, "first-example"},
		{"base path of the server", request("GET /v3/pets", ""), 200, `{"data":[{"kind":"cat","name":"Mia"},{"kind":"cat","name":"Tom"}]}`, "first-example"},
		{"slash at the end", request("GET /pets/mine/", "", "Accept: application/json"), 200, `{"mine":true}`, "first-example"},
		{"concrete before templated", request("GET /pets/mine", "", "Accept: application/json"), 200, `{"mine":true}`, "first-example"},
		{"templated where the concrete path lacks the method", request("DELETE /pets/mine", ""), 204, "", "no-content"},
		{"HEAD answers as GET", request("HEAD /pets/mine", ""), 200, "mine", "first-example"},
		{"no content whatever is accepted", request("DELETE /pets/1", "", "Accept: application/json"), 204, "", "no-content"},
		{"no operation", request("GET /cats", ""), 404, "no-operation", ""},
		{"method", request("PATCH /pets", ""), 405, "method-not-allowed", ""},
		{"credentials", request("GET /pets", "", "X-Key: "), 401, "credentials-missing", ""},
		{"no credentials needed", request("GET /pets/mine", "", "X-Key: "), 200, "mine", "first-example"},
		{"another alternative", request("GET /pets/7", "", "X-Key: ", "Authorization: Bearer <ACCESS_TOKEN>", "Accept: application/vnd.api+json"), 200, `{"id":"12345678901234567890"}`, "first-example"},
		{"vendor type", request("GET /pets/7", "", "Accept: application/vnd.api+json"), 200, `{"id":"12345678901234567890"}`, "first-example"},
		{"not acceptable", request("GET /pets/7", "", "Accept: text/html"), 406, "not-acceptable", ""},
		{"weights", request("GET /pets/mine", "", "Accept: text/plain;q=0.5, application/json"), 200, `{"mine":true}`, "first-example"},
		{"query parameter", request("GET /pets?limit=99", ""), 422, "request-invalid", ""},
		{"path parameter", request("GET /pets/aaaaaaaaaaaaaaaaaaaaaaa", ""), 422, "request-invalid", ""},
		{"body", request("POST /pets", `{"kind":"cat"}`), 400, "request-invalid", ""},
		{"no body", request("POST /pets", ""), 400, "request-invalid", ""},
		{"content type", request("POST /pets", cat, "Content-Type: text/csv"), 415, "content-type-not-documented", ""},
		{"variant by fit", request("POST /pets", `{"kind":"cat","name":"Kit","lives":2}`), 201, `{"id":2,"kind":"cat"}`, "discriminator"},
		{"variant by discriminator", request("POST /pets", `{"kind":"dog","name":"Kit"}`), 201, `{"id":3,"kind":"dog"}`, "discriminator"},
		{"code", request("POST /pets", cat, "Prefer: code=400"), 400, `{"error":"too short"}`, "first-example"},
		{"code and example", request("POST /pets", cat, "Prefer: code=400, example=long"), 400, `{"error":"too long"}`, "prefer"},
		{"example of another status", request("POST /pets", cat, "Prefer: example=long"), 400, `{"error":"too long"}`, "prefer"},
		{"pair that does not exist", request("POST /pets", cat, "Prefer: code=201, example=long"), 404, "response-not-documented", ""},
		{"code in the query", request("POST /pets?__code=400&__example=long", cat), 400, `{"error":"too long"}`, "prefer"},
		{"the header wins", request("POST /pets?__example=dog", cat, "Prefer: example=lazy"), 201, `{"id":2,"kind":"cat"}`, "prefer"},
		{"default", request("POST /pets", cat, "Prefer: code=503"), 503, `{"error":"string"}`, "schema"},
		{"undocumented code", request("DELETE /pets/1", "", "Prefer: code=418"), 404, "response-not-documented", ""},
		{"a failure needs no valid request", request("POST /pets", `{}`, "Prefer: code=400", "X-Key: "), 400, `{"error":"too short"}`, "first-example"},
		{"preference with a wrong value", request("GET /pets", "", "Prefer: code=abc"), 422, "preference-invalid", ""},
		{"unknown preference", request("GET /pets/mine", "", "Prefer: respond-async"), 200, "mine", "first-example"},
		{"colon in a path", request("POST /upload:12", "n=5", "Content-Type: application/x-www-form-urlencoded"), 200, `{"code":"AAA-0000","id":"3f2b7c1e-8d4a-4b6f-9c0d-5e1a2b3c4d5e","size":5}`, "schema"},
		{"encoded colon", request("POST /upload%3A12", "n=x", "Content-Type: application/x-www-form-urlencoded"), 422, "request-invalid", ""},
		{"encoded slash", request("GET /pets/a%2Fb", ""), 200, `{"id":"12345678901234567890"}`, "first-example"},
		{"range of types", request("GET /photo", ""), 200, string(pixel), "schema"},
		{"empty list", request("GET /pets", "", "Prefer: shape=empty"), 200, `{"data":[]}`, "first-example"},
		{"list of one", request("GET /pets", "", "Prefer: shape=one"), 200, `{"data":[{"kind":"cat","name":"Mia"}]}`, "first-example"},
		{"rule of the document", request("POST /rules", `{"to":"5"}`), 200, `2`, "x-mock"},
		{"rule with a status", request("POST /rules", `{"to":"0001"}`), 409, `3`, "x-mock"},
		{"no rule holds", request("POST /rules", `{}`), 200, `1`, "first-example"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := e.answer(c.request)
			got := compact(t, a.Body)
			if a.Problem != nil {
				got = a.Problem.Type
			}
			if a.Status != c.status || got != c.body || a.Problem == nil && a.Rule != c.rule {
				t.Errorf("got %d %s (%s), want %d %s (%s); %+v", a.Status, got, a.Rule, c.status, c.body, c.rule, a.Problem)
			}
		})
	}
}

// What a document says of headers is sent, but for what would act on the portal.
func TestEngineWithholdsDangerousHeaders(t *testing.T) {
	t.Parallel()
	a := newTestEngine(t, pets).answer(request("POST /pets", `{"kind":"cat","name":"Kit"}`))
	if a.Header.Get("Location") != "/pets/1" || a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("the documented headers are %v", a.Header)
	}
	for _, name := range []string{"Set-Cookie", "Clear-Site-Data"} {
		if a.Header.Get(name) != "" {
			t.Errorf("%s is sent", name)
		}
	}
	for _, name := range []string{"X-Accel-Redirect", "X-Accel-Expires", "X-Sendfile", "X-Lighttpd-Send-File", "Cache-Control", "Expires", "Cdn-Cache-Control", "Surrogate-Control",
		"Secure-Session-Registration", "Set-Login", "Activate-Storage-Access", "Document-Policy", "Hx-Redirect", "Content-Range", "Proxy-Connection", "Status"} {
		if !isWithheld(name) {
			t.Errorf("%s is sent", name)
		}
	}
}

// A choice of one request does not survive it.
func TestEngineForgetsPreferences(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, pets)
	body := `{"kind":"cat","name":"Kit"}`
	for range 3 {
		if a := e.answer(request("POST /pets", body, "Prefer: example=dog")); a.Example != "dog" {
			t.Fatalf("asked for dog, got %s", a.Example)
		}
		if a := e.answer(request("POST /pets", body, "Prefer: code=400")); a.Status != 400 {
			t.Fatalf("asked for 400, got %d", a.Status)
		}
		if a := e.answer(request("POST /pets", body)); a.Example != "cat" {
			t.Fatalf("asked for nothing, got %s", a.Example)
		}
	}
}

func TestEngineSamples(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, pets)
	get := func(prefer string) *answer { return e.answer(request("GET /pets", "", "Prefer: "+prefer)) }
	first, again, other := get("dynamic=true, seed=a"), get("dynamic=true, seed=a"), get("dynamic=true, seed=b")
	if string(first.Body) != string(again.Body) || string(first.Body) == string(other.Body) {
		t.Errorf("seed a gives %s and %s, seed b %s", first.Body, again.Body, other.Body)
	}
	if first.Rule != "dynamic" || first.Seed != "a" {
		t.Errorf("the rule is %s and the seed %q", first.Rule, first.Seed)
	}
	random := get("dynamic")
	if repeated := get("dynamic, seed=" + random.Seed); string(repeated.Body) != string(random.Body) {
		t.Errorf("the seed %s gave %s, and then %s", random.Seed, random.Body, repeated.Body)
	}
	full := get("shape=max")
	var list struct{ Data []any }
	if err := json.Unmarshal(full.Body, &list); err != nil || len(list.Data) != fullList {
		t.Errorf("a full list has %d items: %v", len(list.Data), err)
	}
	bounded := e.answer(request("GET /pets?limit=7", "", "Prefer: shape=max"))
	if err := json.Unmarshal(bounded.Body, &list); err != nil || len(list.Data) != 7 {
		t.Errorf("a list with the limit 7 has %d items: %v", len(list.Data), err)
	}
}

func TestEngineNamesTheNearest(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, pets)
	for line, want := range map[string]string{
		"GET /pet": "GET /pets", "GET /v3/pets/min/x": "", "POST /uploads:5": "POST /upload:{session}", "GET /photos": "GET /photo", "GET /zzzz/qqqq/wwww": "",
	} {
		a := e.answer(request(line, ""))
		got := ""
		if a.Problem != nil && len(a.Problem.Nearest) > 0 {
			got = a.Problem.Nearest[0].Name
		}
		if got != want && want != "" {
			t.Errorf("%s: the nearest is %q, want %q", line, got, want)
		}
	}
}
