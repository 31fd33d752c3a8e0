package mock

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/db/dbtest"
)

const things = `
openapi: 3.1.0
info: {title: Things, version: "1"}
security: [{key: []}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
paths:
  /things:
    post:
      operationId: createThing
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {"201": {description: ok, content: {application/json: {example: {id: "100200300", name: x, state: new}}}}}
    get:
      operationId: listThings
      responses: {"200": {description: ok, content: {application/json: {example: {data: [{id: "1", name: x}], total: 1}}}}}
    delete:
      operationId: clearThings
      parameters: [{name: name, in: query, schema: {type: string}}]
      responses: {"204": {description: gone}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: {"200": {description: ok, content: {application/json: {example: {id: "1", name: x, state: new}}}}, "404": {description: none, content: {application/json: {example: {error: none}}}}}}
    patch:
      operationId: editThing
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {"200": {description: ok, content: {application/json: {example: {id: "1", name: x, state: new}}}}}
    delete: {operationId: deleteThing, responses: {"204": {description: gone}}}
`

// A caller reads, lists, changes and deletes what it created, and nobody else
// sees it.
func TestStateOfACaller(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, things)
	s := New(Options{Site: reference.Site{URL: "http://localhost:8080"}, DB: dbtest.Tx(t), Key: []byte("key"), Now: time.Now})
	at := reference.Place{Product: &published.Product{Slug: "things"}, Version: &published.Version{Slug: "1.0", Version: content.Version{}}}
	send := func(key, line, body string) *answer {
		t.Helper()
		c := Call{Client: "192.0.2.1", Request: request(line, body, "X-Key: "+key, "Prefer: state")}
		return s.keep(t.Context(), at, c, e.answer(c.Request))
	}
	check := func(what string, a *answer, status int, want string) {
		t.Helper()
		if got := compact(t, a.Body); a.Status != status || got != want {
			t.Fatalf("%s gives %d %s, want %d %s; %+v", what, a.Status, got, status, want, a.Problem)
		}
	}
	check("an empty list", send("a", "GET /things", ""), 200, `{"data":[],"total":1}`)
	made := send("a", "POST /things", `{"name":"lamp","size":3}`)
	var thing struct{ ID, Name string }
	if err := json.Unmarshal(made.Body, &thing); err != nil || made.Status != 201 || thing.Name != "lamp" || thing.ID == "100200300" || len(thing.ID) != 9 {
		t.Fatalf("creating gives %d %s", made.Status, made.Body)
	}
	path := "/things/" + thing.ID
	check("reading", send("a", "GET "+path, ""), 200, `{"id":"`+thing.ID+`","name":"lamp","state":"new"}`)
	check("listing", send("a", "GET /things", ""), 200, `{"data":[{"id":"`+thing.ID+`","name":"lamp"}],"total":1}`)
	check("another key", send("b", "GET "+path, ""), 404, `{"error":"none"}`)
	check("changing", send("a", "PATCH "+path, `{"name":"wick"}`), 200, `{"id":"`+thing.ID+`","name":"wick","state":"new"}`)
	check("reading again", send("a", "GET "+path, ""), 200, `{"id":"`+thing.ID+`","name":"wick","state":"new"}`)
	check("deleting others by name", send("a", "DELETE /things?name=lamp", ""), 204, "")
	check("reading what is left", send("a", "GET "+path, ""), 200, `{"id":"`+thing.ID+`","name":"wick","state":"new"}`)
	check("deleting", send("a", "DELETE "+path, ""), 204, "")
	check("reading what is gone", send("a", "GET "+path, ""), 404, `{"error":"none"}`)
	if a := send("a", "DELETE "+path, ""); a.Status != http.StatusNotFound || a.Problem == nil || a.Problem.Type != kindState {
		t.Errorf("deleting twice gives %d %+v", a.Status, a.Problem)
	}
}

func TestStateIsBounded(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, things)
	s := New(Options{DB: dbtest.Tx(t), Key: []byte("key")})
	at := reference.Place{Product: &published.Product{Slug: "things"}, Version: &published.Version{Slug: "1.0"}}
	create := func(body string) *answer {
		c := Call{Client: "192.0.2.1", Request: request("POST /things", body)}
		return s.keep(t.Context(), at, c, e.answer(c.Request))
	}
	if a := create(`{"name":"` + strings.Repeat("a", mostValue) + `"}`); a.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large thing gives %d", a.Status)
	}
	for i := range mostOfScope {
		if a := create(`{"name":"lamp"}`); a.Status != http.StatusCreated {
			t.Fatalf("thing %d gives %d %+v", i, a.Status, a.Problem)
		}
	}
	if a := create(`{"name":"lamp"}`); a.Status != http.StatusConflict {
		t.Errorf("one thing more gives %d", a.Status)
	}
}
