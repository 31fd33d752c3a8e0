package reader_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
)

const products = `[
 {"slug":"letters","product":{"name":"Letters"},"version":"1.0","label":"Current","document":"letters.yaml",
  "earlier":[{"version":"0.9","label":"Deprecated","sunset":"2027-01-31","document":"letters.yaml"}]},
 {"slug":"secret","product":{"name":"Secret","hidden":true},"version":"1.0","label":"Current","document":"letters.yaml"},
 {"slug":"voice","product":{"name":"Voice","coming_soon":true}}
]`

const letters = `
openapi: 3.1.0
info: {title: Letters, version: "1.0"}
servers: [{url: "http://localhost/v1"}]
paths:
  /letters:
    get:
      operationId: listLetters
      parameters:
        - {name: session, in: cookie, schema: {type: string, maxLength: 4}}
        - {name: heliograph, in: cookie, schema: {type: string, maxLength: 4}}
      responses:
        "200":
          description: ok
          headers:
            Set-Cookie: {schema: {type: string}, example: "heliograph=stolen"}
            X-Total: {schema: {type: integer}, example: 2}
          content: {application/json: {example: [{"id": 12345678901234567890}]}}
    post:
      operationId: sendLetter
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [to], properties: {to: {type: string, format: email}}}}}}
      responses: {"201": {description: ok, content: {text/html: {example: "<script>alert(1)</script>"}}}}
`

func site(t testing.TB, change func(*web.Deps)) *webtest.Site {
	t.Helper()
	return webtest.New(t, func(d *web.Deps) {
		files := fstest.MapFS{"products.json": {Data: []byte(products)}, "letters.yaml": {Data: []byte(letters)}}
		if err := editorial.Seed(t.Context(), d.DB, files); err != nil {
			t.Fatal(err)
		}
		if err := d.Documentation.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(d)
		}
	})
}

type problem struct {
	Type, Title, Detail string
	Status              int
	Operation           string
	Errors              []struct{ Location, Name, Pointer, Code, Message string }
	Nearest             []struct{ Name, URL string }
	RequestID           string `json:"request_id"`
}

func readProblem(t testing.TB, a *webtest.Answer) (p problem) {
	t.Helper()
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		t.Fatalf("the content type is %s: %s", got, a.Body)
	}
	if err := json.Unmarshal([]byte(a.Body), &p); err != nil {
		t.Fatal(err)
	}
	if p.Status != a.Status || p.RequestID == "" || !strings.HasPrefix(p.Type, "http://localhost:8080/productguide/portal/mock-server#") {
		t.Errorf("the status is %d, the problem %+v", a.Status, p)
	}
	return p
}

func TestMockAnswersWithoutDatabase(t *testing.T) {
	t.Parallel()
	c := site(t, nil).Client(t)
	c.Send("GET", "/mock/letters/1.0/letters", "", nil) // compiles the version
	for _, path := range []string{"/mock/letters/1.0/letters", "/mock/letters/1.0/v1/letters", "/mock/secret/1.0/letters"} {
		c.Send("GET", path, "", nil)
		a := c.Send("GET", path, "", nil)
		if a.Status != 200 || !strings.Contains(a.Body, "12345678901234567890") || a.Queries != 0 {
			t.Errorf("%s gives %d %s with %d queries", path, a.Status, a.Body, a.Queries)
		}
	}
}

// A response can be read by every origin and acts on none.
func TestMockIsIsolated(t *testing.T) {
	t.Parallel()
	c := site(t, nil).Client(t)
	a := c.Send("GET", "/mock/letters/1.0/letters", "", nil)
	for name, want := range map[string]string{
		"Content-Security-Policy": "sandbox; default-src 'none'", "X-Content-Type-Options": "nosniff", "Set-Cookie": "", "X-Total": "2",
		"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Credentials": "", "Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "no-store",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, use := range []string{"script", "style", "worker", "serviceworker"} {
		if a := c.With("Sec-Fetch-Dest", use).Send("GET", "/mock/letters/1.0/letters", "", nil); a.Status != 403 {
			t.Errorf("as a %s it gives %d %s", use, a.Status, a.Body)
		}
	}
	page := c.Send("POST", "/mock/letters/1.0/letters", "application/json", strings.NewReader(`{"to":"asha@example.com"}`))
	if page.Status != 201 || page.Header.Get("Content-Type") != "text/html" || page.Header.Get("Content-Security-Policy") != "sandbox; default-src 'none'" {
		t.Errorf("a page of HTML gives %d %v", page.Status, page.Header)
	}
}

// Cookies of the portal are never read, though a document may describe them.
func TestMockReadsNoSession(t *testing.T) {
	t.Parallel()
	c := site(t, nil).Client(t)
	if a := c.With("Cookie", "heliograph=much-too-long; __Host-heliograph=x").Send("GET", "/mock/letters/1.0/letters", "", nil); a.Status != 200 {
		t.Errorf("a session is read: %d %s", a.Status, a.Body)
	}
	if a := c.With("Cookie", "session=much-too-long").Send("GET", "/mock/letters/1.0/letters", "", nil); a.Status != 422 {
		t.Errorf("a documented cookie is not read: %d %s", a.Status, a.Body)
	}
}

func TestMockProblems(t *testing.T) {
	t.Parallel()
	c := site(t, nil).Client(t)
	for _, n := range []struct {
		method, path, contentType, body string
		status                          int
		kind, detail                    string
	}{
		{"GET", "/mock/lettres/1.0/letters", "", "", 404, "not-published", "lettres"},
		{"GET", "/mock/voice/1.0/letters", "", "", 404, "not-published", "no published documentation"},
		{"GET", "/mock/letters/2.0/letters", "", "", 404, "not-published", "1.0 and 0.9"},
		{"GET", "/mock/letters/1.0/letter", "", "", 404, "no-operation", "GET /letters"},
		{"GET", "/mock/letters/1.0", "", "", 404, "no-operation", ""},
		{"GET", "/mock/", "", "", 404, "not-published", ""},
		{"DELETE", "/mock/letters/1.0/letters", "", "", 405, "method-not-allowed", "GET and POST"},
		{"POST", "/mock/letters/1.0/letters", "application/json", `{"to":"nobody"}`, 422, "request-invalid", "email"},
		{"POST", "/mock/letters/1.0/letters", "application/json", `{`, 422, "request-invalid", ""},
		{"POST", "/mock/letters/1.0/letters", "text/plain", "x", 415, "content-type-not-documented", "application/json"},
	} {
		a := c.Send(n.method, n.path, n.contentType, strings.NewReader(n.body))
		p := readProblem(t, a)
		if a.Status != n.status || !strings.HasSuffix(p.Type, "#"+n.kind) || !strings.Contains(p.Detail, n.detail) {
			t.Errorf("%s %s: %d %+v", n.method, n.path, a.Status, p)
		}
		if a.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s %s cannot be read by other origins", n.method, n.path)
		}
	}
	a := c.Send("POST", "/mock/letters/1.0/letters", "application/json", strings.NewReader(`{"to":"nobody"}`))
	if p := readProblem(t, a); len(p.Errors) != 1 || p.Errors[0].Location != "body" || p.Errors[0].Pointer != "/to" || p.Errors[0].Code != "format" || p.Operation != "sendLetter" {
		t.Errorf("the errors are %+v", p)
	}
	if a := c.Send("DELETE", "/mock/letters/1.0/letters", "", nil); a.Header.Get("Allow") != "GET, HEAD, OPTIONS, POST" {
		t.Errorf("Allow is %s", a.Header.Get("Allow"))
	}
}

func TestMockPreflight(t *testing.T) {
	t.Parallel()
	c := site(t, nil).Client(t).With("Origin", "https://elsewhere.example").With("Access-Control-Request-Method", "PATCH").With("Access-Control-Request-Headers", "apikey, prefer")
	a := c.Send("OPTIONS", "/mock/letters/1.0/nowhere", "", nil)
	if a.Status != 204 || a.Body != "" || a.Header.Get("Access-Control-Allow-Methods") != "PATCH" || a.Header.Get("Access-Control-Allow-Headers") != "apikey, prefer" {
		t.Errorf("a preflight gives %d %v", a.Status, a.Header)
	}
	if a.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("credentials are allowed")
	}
}

func TestMockOfOldVersions(t *testing.T) {
	t.Parallel()
	c := site(t, nil).Client(t)
	old := c.Send("GET", "/mock/letters/0.9/letters", "", nil)
	if old.Status != 200 || !strings.HasPrefix(old.Header.Get("Deprecation"), "@") || old.Header.Get("Sunset") != "Sun, 31 Jan 2027 00:00:00 GMT" {
		t.Errorf("a deprecated version gives %d %v", old.Status, old.Header)
	}
	if links := old.Header.Values("Link"); len(links) != 2 || !strings.Contains(links[1], `/mock/letters/1.0>; rel="successor-version"`) {
		t.Errorf("the links are %v", links)
	}
	if now := c.Send("GET", "/mock/letters/1.0/letters", "", nil); now.Header.Get("Deprecation") != "" || now.Header.Get("Sunset") != "" {
		t.Errorf("the current version has %v", now.Header)
	}
}

func TestMockLimits(t *testing.T) {
	t.Parallel()
	c := site(t, func(d *web.Deps) { d.Config.RateMock = 1 }).Client(t)
	for i := range 10 {
		a := c.Send("GET", "/mock/letters/1.0/letters", "", nil)
		if a.Status != 200 || !strings.HasPrefix(a.Header.Get("RateLimit"), `"mock";r=`) || a.Header.Get("RateLimit-Policy") != `"mock";q=10;w=10` {
			t.Fatalf("request %d gives %d %v", i, a.Status, a.Header)
		}
	}
	a := c.Send("GET", "/mock/letters/1.0/letters", "", nil)
	if p := readProblem(t, a); a.Status != 429 || a.Header.Get("Retry-After") != "1" || !strings.HasSuffix(p.Type, "#too-many-requests") {
		t.Errorf("one more gives %d %v", a.Status, a.Header)
	}
	other := *c
	other.Address = "192.0.2.9:1"
	if a := other.Send("GET", "/mock/letters/1.0/letters", "", nil); a.Status != 200 {
		t.Errorf("another address gets %d", a.Status)
	}
}

func TestMockWaits(t *testing.T) {
	t.Parallel()
	c := site(t, nil).Client(t)
	a := c.With("Prefer", "wait=20").Send("GET", "/mock/letters/1.0/letters", "", nil)
	if got := a.Header.Get("Server-Timing"); !strings.HasPrefix(got, "mock;dur=") || !strings.HasSuffix(got, ", wait;dur=20") {
		t.Errorf("Server-Timing is %s", got)
	}
	if got := a.Header.Get("Preference-Applied"); got != "wait=20" {
		t.Errorf("Preference-Applied is %s", got)
	}
}

func TestMockExplains(t *testing.T) {
	t.Parallel()
	c := site(t, nil).Client(t)
	a := c.Send("GET", "/mock/letters/1.0/letters", "", nil)
	if got, want := a.Header.Get("X-Mock-Explain"), `operation="listLetters", status=200, rule=first-example, validation=on`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Faults of the connection look to a client as if a server failed.
func TestMockFaults(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(site(t, nil).Server.Handler())
	t.Cleanup(server.Close)
	ask := func(fault string) (*http.Response, []byte, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/mock/letters/1.0/letters", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Prefer", "fault="+fault)
		r.Close = true
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			return nil, nil, err
		}
		defer response.Body.Close() //nolint:errcheck // a test
		body, err := io.ReadAll(response.Body)
		return response, body, err
	}
	if _, _, err := ask("empty"); !errors.Is(err, io.EOF) {
		t.Errorf("empty: %v", err)
	}
	if _, _, err := ask("reset"); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reset: %v", err)
	}
	if response, _, err := ask("malformed"); response == nil || response.StatusCode != 200 || err == nil {
		t.Errorf("malformed: %v %v", response, err)
	}
	if _, _, err := ask("random"); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("random: %v", err)
	}
	if response, _, err := ask("503:1"); err != nil || response.StatusCode != 503 {
		t.Errorf("503: %v %v", response, err)
	}
	if response, _, err := ask("503:0"); err != nil || response.StatusCode != 200 {
		t.Errorf("503 with no chance: %v %v", response, err)
	}
}

// A path may have anything in it, and a body may lie about its length.
func TestMockReadsHostileRequests(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(site(t, nil).Server.Handler())
	t.Cleanup(server.Close)
	for request, want := range map[string]string{
		"GET /mock/letters/1.0/%2e%2e/%2e%2e/admin HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":                                               "HTTP/1.1 404",
		"GET /mock/letters/1.0//letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":                                                          "HTTP/1.1 404",
		"POST /mock/letters/1.0/letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 99999999999\r\n\r\n":                           "HTTP/1.1 413",
		"TRACE /mock/letters/1.0/letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":                                                         "HTTP/1.1 405",
		"GET /mock/letters/1.0/letters?__code=200%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":                                             "HTTP/1.1 422",
		"GET /mock/" + strings.Repeat("a", 9000) + "/1.0/letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":                                 "HTTP/1.1 404",
		"GET /mock/letters/1.0/letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: " + strings.Repeat("a/b,", 2000) + "\r\n\r\n":           "HTTP/1.1 406",
		"GET /mock/letters/1.0/letters HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: example=\"" + strings.Repeat(`\"`, 3000) + "\"\r\n\r\n": "HTTP/1.1 404",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, want) {
			t.Errorf("%.60q gives %q %v, want %s", request, line, err, want)
		}
		_ = conn.Close()
	}
}
