package assistant_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/seed"
)

// client speaks the protocol with a portal.
type client struct {
	*testing.T
	site   *webtest.Site
	header http.Header
}

func seeded(t *testing.T) client {
	t.Helper()
	pool := seedtest.Pool(t)
	site := webtest.New(t, func(d *web.Deps) {
		listener := db.NewListener(pool)
		d.DB, d.Pool, d.Documentation, d.Search = pool, pool, published.New(pool, listener), search.New(pool, listener)
		if err := d.Documentation.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	return client{t, site, http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}}
}

func (c client) with(name, value string) client {
	c.header = c.header.Clone()
	c.header.Set(name, value)
	return c
}

// send posts a body and returns the response.
func (c client) send(method, address, body string) *httptest.ResponseRecorder {
	c.Helper()
	r := httptest.NewRequest(method, address, strings.NewReader(body))
	r.Host = "localhost:8080"
	for name, values := range c.header {
		r.Header[name] = values
		if name == "Host" {
			r.Host = values[0]
		}
	}
	w := httptest.NewRecorder()
	c.site.Server.Handler().ServeHTTP(w, r)
	return w
}

// reply is the answer to a call of a tool.
type reply struct {
	Error *struct {
		Code    int
		Message string
	}
	Result struct {
		Content []struct{ Type, Text, URI string }
		Tools   []struct {
			Name         string
			Title        string
			Description  string
			InputSchema  json.RawMessage
			OutputSchema json.RawMessage
			Annotations  map[string]any
		}
		StructuredContent json.RawMessage
		IsError           bool
		Instructions      string
		Contents          []struct{ Text, MIMEType string }
		Completion        struct{ Values []string }
		Messages          []struct{ Content struct{ Text string } }
		Resources         []struct{ URI string }
		Prompts           []struct{ Name, Description string }
	}
}

func (r reply) text() string {
	if len(r.Result.Content) == 0 {
		return ""
	}
	return r.Result.Content[0].Text
}

// ask sends a message with parameters as JSON.
func (c client) ask(method, params string) (r reply) {
	c.Helper()
	w := c.send("POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
		c.Fatalf("%s %s: %d %s", method, params, w.Code, w.Body)
	}
	return r
}

func (c client) call(tool, args string) reply {
	c.Helper()
	return c.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
}

// calls are calls of every tool.
var calls = []struct{ tool, args, want string }{
	{"list_products", `{}`, "business-messaging"},
	{"list_products", `{"limit":1}`, "call again with cursor"},
	{"list_versions", `{"product":"portal"}`, "Deprecated"},
	{"list_endpoints", `{"product":"rcs"}`, "create-bot"},
	{"list_endpoints", `{"product":"sms"}`, "9 endpoints and 2 callbacks, "},
	{"list_endpoints", `{"product":"portal","version":"1.0","method":"get","limit":3}`, "deprecated"},
	{"list_endpoints", `{"product":"business-messaging","q":"template"}`, "message_templates"},
	{"get_endpoint", `{"product":"rcs","endpoint_id":"create-bot"}`, "botName"},
	{"get_endpoint", `{"product":"business-messaging","method":"POST","path":"/v3/105551234567890/messages","language":"go"}`, "net/http"},
	{"get_endpoint", `{"product":"rcs","endpoint_id":"create-bot","include":["parameters","examples","schemas"],"hallucinated":true}`, "## Examples"},
	{"search_api_docs", `{"query":"create bot"}`, "create-bot.md"},
	{"search_api_docs", `{"userQuery":"create bot","product":"rcs","limit":2}`, "create-bot"},
	{"search_api_docs", `{"q":"zzzzqqqq"}`, "Nothing published matches"},
}

// Every tool answers with Markdown and with a value that its schema describes, both
// within the budget.
func TestToolsAnswerTwice(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	schemas := map[string]*jsonschema.Schema{}
	for _, tool := range c.ask("tools/list", `{}`).Result.Tools {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.OutputSchema))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("mem:///"+tool.Name, value); err != nil {
			t.Fatal(err)
		}
		if schemas[tool.Name], err = compiler.Compile("mem:///" + tool.Name); err != nil {
			t.Fatal(err)
		}
		for _, hint := range []string{"readOnlyHint", "idempotentHint", "destructiveHint", "openWorldHint"} {
			if _, given := tool.Annotations[hint]; !given {
				t.Errorf("%s does not say %s", tool.Name, hint)
			}
		}
		if both := string(tool.InputSchema) + string(tool.OutputSchema); strings.Contains(both, "null") || strings.Contains(both, "additionalProperties") || tool.Title == "" || tool.Description == "" {
			t.Errorf("%s has the schemas %s", tool.Name, both)
		}
	}
	if len(schemas) != 5 {
		t.Fatalf("there are %d tools", len(schemas))
	}
	for _, call := range calls {
		r := c.call(call.tool, call.args)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Result.StructuredContent))
		if err == nil {
			err = schemas[call.tool].Validate(value)
		}
		if err != nil || r.Result.IsError || !strings.Contains(r.text(), call.want) || strings.Contains(string(r.Result.StructuredContent), ":null") {
			t.Errorf("%s %s: %v\n%.600s\n%.300s", call.tool, call.args, err, r.text(), r.Result.StructuredContent)
		}
	}
}

// Every endpoint fits the budget in both renderings, and its text is the text of its
// page as Markdown, unless a part was left out and named.
func TestEndpointsFitTheBudget(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	equal := 0
	for _, product := range []string{"business-messaging", "sms", "rcs", "portal"} {
		var list struct {
			Endpoints []struct {
				ID  string `json:"endpoint_id"`
				URL string `json:"markdown_url"`
			}
			Version string
		}
		if err := json.Unmarshal(c.with("X-Forwarded-For", "").call("list_endpoints", `{"product":"`+product+`","limit":100}`).Result.StructuredContent, &list); err != nil {
			t.Fatal(err)
		}
		for _, e := range list.Endpoints[:min(6, len(list.Endpoints))] {
			r := c.call("get_endpoint", `{"product":"`+product+`","endpoint_id":"`+e.ID+`"}`)
			if len([]rune(r.text())) > 40_000 || len([]rune(string(r.Result.StructuredContent))) > 40_000 {
				t.Errorf("%s %s is too long", product, e.ID)
			}
			w := c.send("GET", strings.TrimPrefix(e.URL, "http://localhost:8080"), "")
			switch {
			case r.text() == w.Body.String():
				equal++
			case !strings.Contains(r.text(), "Left out to keep the answer short: "):
				t.Errorf("%s %s is not its page as Markdown: %s", product, e.ID, e.URL)
			}
		}
	}
	if equal < 12 {
		t.Errorf("only %d endpoints are whole", equal)
	}
}

// Wrong arguments are results that say what to change, the same for what is not
// published and what never was.
func TestMistakesTeach(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	for _, call := range []struct{ tool, args, want string }{
		{"list_versions", `{}`, "product is missing. Use one of: business-messaging"},
		{"list_versions", `{"product":"rsc"}`, "No published product rsc. Closest: rcs."},
		{"list_endpoints", `{"product":"rcs","version":"9"}`, "No published version 9 of rcs. Versions: 1.0."},
		{"list_endpoints", `{"product":"rcs","limit":0}`, "limit is 0. Use a number from 1 to 100."},
		{"list_endpoints", `{"product":"rcs","cursor":"abc"}`, "This cursor was not made by this server."},
		{"get_endpoint", `{"product":"rcs"}`, "Name the endpoint"},
		{"get_endpoint", `{"product":"rcs","endpoint_id":"create-bots"}`, "No published endpoint create-bots in rcs 1.0. Closest: create-bot."},
		{"get_endpoint", `{"product":"rcs","method":"post","path":"/api/v1/creat-bot"}`, "Closest: POST /api/v1/create-bot (id create-bot)."},
		{"get_endpoint", `{"product":"rcs","endpoint_id":"create-bot","language":"cobol"}`, "There is no code in cobol. Use one of: curl"},
		{"get_endpoint", `{"product":"rcs","endpoint_id":"create-bot","include":["body"]}`, "include has no part body. Use some of: parameters"},
		{"get_endpoint", `{"product":7}`, "wrong type"},
		{"search_api_docs", `{}`, "query is missing."},
		{"search_api_docs", `{"query":"a","kind":"page"}`, "There is no kind page."},
	} {
		r := c.call(call.tool, call.args)
		if !r.Result.IsError || !strings.Contains(r.text(), call.want) {
			t.Errorf("%s %s: %+v", call.tool, call.args, r)
		}
	}
	if r := c.call("delete_product", `{}`); r.Error == nil || r.Error.Code != -32602 {
		t.Errorf("an unknown tool: %+v", r)
	}
	if r := c.ask("resources/read", `{"uri":"docs://rcs/9.9"}`); r.Error == nil {
		t.Errorf("an unknown resource: %+v", r)
	}
}

// A cursor continues its own list, and no other.
func TestCursorsBelongToTheirQuery(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	seen := map[string]bool{}
	cursor := ""
	for range 20 {
		var list struct {
			Total     int
			Next      string `json:"next_cursor"`
			Endpoints []struct {
				ID string `json:"endpoint_id"`
			}
		}
		if err := json.Unmarshal(c.call("list_endpoints", `{"product":"rcs","limit":7,"cursor":"`+cursor+`"}`).Result.StructuredContent, &list); err != nil {
			t.Fatal(err)
		}
		for _, e := range list.Endpoints {
			seen[e.ID] = true
		}
		if cursor != "" {
			if r := c.call("list_endpoints", `{"product":"sms","limit":7,"cursor":"`+cursor+`"}`); !r.Result.IsError {
				t.Error("a cursor works for another product")
			}
		}
		if cursor = list.Next; cursor == "" {
			if len(seen) != list.Total || list.Total < 26 {
				t.Errorf("%d of %d endpoints were listed", len(seen), list.Total)
			}
			return
		}
	}
	t.Error("the list has no end")
}

// Resources, completions and prompts hold the same documentation.
func TestResourcesAndPrompts(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	list := c.ask("resources/list", `{}`)
	if len(list.Result.Resources) < 10 {
		t.Errorf("%d resources", len(list.Result.Resources))
	}
	for _, uri := range []string{"docs://rcs/1.0", "docs://rcs/1.0/endpoints/create-bot", "docs://sms/guides/delivery-reports", "docs://portal/1.1/openapi"} {
		if r := c.ask("resources/read", `{"uri":"`+uri+`"}`); len(r.Result.Contents) != 1 || len(r.Result.Contents[0].Text) < 200 {
			t.Errorf("%s: %+v", uri, r)
		}
	}
	for params, want := range map[string]string{
		`{"ref":{"type":"ref/resource","uri":"docs://{product}/{version}"},"argument":{"name":"product","value":"r"}}`:                                                 "rcs",
		`{"ref":{"type":"ref/resource","uri":"docs://{product}/{version}"},"argument":{"name":"version","value":""},"context":{"arguments":{"product":"portal"}}}`:     "1.1 1.0",
		`{"ref":{"type":"ref/prompt","name":"integrate_endpoint"},"argument":{"name":"endpoint","value":"create"},"context":{"arguments":{"product":"rcs"}}}`:          "create-bot",
		`{"ref":{"type":"ref/prompt","name":"integrate_endpoint"},"argument":{"name":"language","value":"p"}}`:                                                         "python php",
		`{"ref":{"type":"ref/resource","uri":"docs://{product}/guides/{+path}"},"argument":{"name":"path","value":"deliv"},"context":{"arguments":{"product":"sms"}}}`: "delivery-reports",
	} {
		if got := strings.Join(c.ask("completion/complete", params).Result.Completion.Values, " "); !strings.Contains(got, want) {
			t.Errorf("%s completes to %s", params, got)
		}
	}
	if r := c.ask("prompts/get", `{"name":"integrate_endpoint","arguments":{"product":"rcs","endpoint":"create-bot","language":"python"}}`); len(r.Result.Messages) != 1 || !strings.Contains(r.Result.Messages[0].Content.Text, "create-bot") {
		t.Errorf("%+v", r)
	}
	if r := c.ask("prompts/get", `{"name":"migrate_version","arguments":{"product":"portal","from":"1.0"}}`); len(r.Result.Messages) != 1 || !strings.Contains(r.Result.Messages[0].Content.Text, "from=1.0&to=1.1") {
		t.Errorf("%+v", r)
	}
	if r := c.ask("prompts/list", `{}`); len(r.Result.Prompts) != 2 || r.Result.Prompts[0].Description == "" {
		t.Errorf("%+v", r)
	}
	instructions := c.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`).Result.Instructions
	if !strings.Contains(instructions, "Business Messaging") || len([]rune(instructions)) > 2048 || strings.Contains(instructions, "Voice") {
		t.Errorf("instructions: %s", instructions)
	}
}

// A server of one product knows no other.
func TestScope(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	ask := func(tool, args string) string {
		return c.send("POST", "/mcp?product=rcs", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, args)).Body.String()
	}
	if body := ask("list_products", `{}`); strings.Contains(body, "sms") || !strings.Contains(body, "rcs") {
		t.Error(body)
	}
	if body := ask("search_api_docs", `{"query":"webhook"}`); strings.Contains(body, "/docs/sms") || !strings.Contains(body, "/docs/rcs") {
		t.Error(body)
	}
	if w := c.send("POST", "/mcp?product=nothing", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); w.Code != 400 {
		t.Errorf("an unknown product: %d %s", w.Code, w.Body)
	}
}

// The documented examples of both contracts get documented answers.
func TestContract(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	for _, name := range []string{"portal-1.0.yaml", "portal.yaml"} {
		document, err := seed.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		contract, err := spectest.New(document)
		if err != nil {
			t.Fatal(err)
		}
		e := spectest.Endpoint(t, spectest.Compile(t, document), "callMcp")
		for _, x := range e.Bodies[0].Examples {
			w := c.send("POST", "/mcp", x.Value)
			if err := contract.Response("callMcp", w.Code, w.Header(), w.Body.Bytes()); err != nil || w.Code >= 300 {
				t.Errorf("%s: %d %v %s", x.Name, w.Code, err, w.Body)
			}
		}
		for what, w := range map[string]*httptest.ResponseRecorder{
			"400": c.with("Accept", "application/json").send("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`),
			"403": c.with("Origin", "https://evil.example.com").send("POST", "/mcp", `{}`),
			"413": c.send("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"x","params":{"x":"`+strings.Repeat("a", 70_000)+`"}}`),
			"415": c.with("Content-Type", "text/plain").send("POST", "/mcp", `{}`),
		} {
			if err := contract.Response("callMcp", w.Code, w.Header(), w.Body.Bytes()); err != nil || fmt.Sprint(w.Code) != what {
				t.Errorf("%s: %d %v %s", what, w.Code, err, w.Body)
			}
		}
	}
}
