package assistant_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const list = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`

// Requests from other sites, and for other hosts, are refused; cookies and form
// tokens do not matter.
func TestHostAndOrigin(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	for header, want := range map[string]int{
		"Origin: https://evil.example.com": 403, "Origin: null": 403, "Origin: http://localhost:9": 200, "Origin: http://[::1]:8080": 200,
		"Host: evil.example.com": 403, "Host: localhost:8080": 200, "Host: 127.0.0.1": 200, "Host: localhost.evil.example.com": 403,
		"Cookie: heliograph=x; heliograph-admin=y": 200, "Sec-Fetch-Site: cross-site": 200,
	} {
		name, value, _ := strings.Cut(header, ": ")
		if w := c.with(name, value).send("POST", "/mcp", list); w.Code != want || w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %s", header, w.Code, w.Body)
		}
	}
}

// People who open the address get the page about it, programs a 405.
func TestOtherMethods(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	for _, method := range []string{"GET", "DELETE", "PUT"} {
		if w := c.send(method, "/mcp", ""); w.Code != http.StatusMethodNotAllowed || !strings.Contains(w.Header().Get("Allow"), "POST") {
			t.Errorf("%s: %d %v", method, w.Code, w.Header())
		}
	}
	if w := c.with("Accept", "text/html,*/*").send("GET", "/mcp", ""); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/mcp-setup" {
		t.Errorf("a browser: %d %v", w.Code, w.Header())
	}
}

// A client that says nothing about the types it takes, takes all.
func TestAcceptMayBeLeftOut(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	c.header = c.header.Clone()
	c.header.Del("Accept")
	if w := c.send("POST", "/mcp", list); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"tools"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A batch has at most ten messages, and each call of it counts.
func TestBatches(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	batch := func(n int) *httptest.ResponseRecorder {
		return c.send("POST", "/mcp", "["+strings.TrimSuffix(strings.Repeat(list+",", n), ",")+"]")
	}
	if w := batch(10); w.Code != 200 {
		t.Errorf("ten messages: %d %s", w.Code, w.Body)
	}
	if w := batch(11); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("eleven messages: %d %s", w.Code, w.Body)
	}
}

// Too many calls get 429 in the form of the protocol; lists still work.
func TestCallsAreLimited(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	call := `{"jsonrpc":"2.0","id":"seven","method":"tools/call","params":{"name":"list_products","arguments":{}}}`
	var limited *httptest.ResponseRecorder
	for range 40 {
		if w := c.send("POST", "/mcp", call); w.Code == http.StatusTooManyRequests {
			limited = w
			break
		}
	}
	if limited == nil || limited.Header().Get("Retry-After") == "" || !strings.Contains(limited.Body.String(), `"id":"seven"`) || !strings.Contains(limited.Body.String(), "Try again in ") {
		t.Fatalf("40 calls at once: %v", limited)
	}
	if w := c.send("POST", "/mcp", list); w.Code != 200 {
		t.Errorf("a list: %d", w.Code)
	}
}

// A subscription ends at once: nothing is ever announced, and an open stream
// would hold a connection.
func TestSubscriptionsEnd(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	w := c.with("Mcp-Protocol-Version", "2026-07-28").with("Mcp-Method", "subscriptions/listen").send("POST", "/mcp",
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
	if w.Code >= 500 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Nothing is held open: the capabilities promise no notifications, and a request for
// them ends at once, also over a connection that is really there.
func TestSubscriptionsOverTheWireEnd(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	if w := c.send("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`); strings.Contains(w.Body.String(), `"listChanged":true`) {
		t.Errorf("changes are promised: %s", w.Body)
	}
	server := httptest.NewServer(c.site.Server.Handler())
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	body := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	for range 2 { // the second one finds the process alive
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = c.with("Mcp-Protocol-Version", "2026-07-28").with("Mcp-Method", "subscriptions/listen").header
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode >= 500 {
			t.Errorf("%d %v", answer.StatusCode, err)
		}
	}
}

// Lists and reads say for how long they hold, in the revision that asks for it.
func TestListsSayHowLongTheyHold(t *testing.T) {
	t.Parallel()
	c := seeded(t).with("Mcp-Protocol-Version", "2026-07-28")
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
		w := c.with("Mcp-Method", method).send("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
		if body := w.Body.String(); !strings.Contains(body, `"ttlMs":60000`) || !strings.Contains(body, `"cacheScope":"public"`) {
			t.Errorf("%s: %d %.300s", method, w.Code, body)
		}
	}
}
