package assistant_test

import (
	"strings"
	"testing"
)

// An unknown method is an error of the protocol beside the other answers of its batch,
// and an id is repeated as it was sent or refused.
func TestUnknownMethods(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, tt := range map[string]struct {
		body   string
		status int
		want   []string
	}{
		"alone":               {`{"jsonrpc":"2.0","id":"a","method":"foo/bar"}`, 200, []string{`"id":"a"`, "-32601", "foo/bar"}},
		"in a batch":          {"[" + ping + `,{"jsonrpc":"2.0","id":2,"method":"foo/bar"}]`, 200, []string{`"id":1`, `"result"`, `"id":2`, "-32601"}},
		"a notification":      {`{"jsonrpc":"2.0","method":"notifications/foo"}`, 202, nil},
		"a number of 65 bits": {`{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`, 200, []string{`"id":12345678901234567890`, "-32600"}},
		"a limit as a text":   {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_products","arguments":{"limit":"1"}}}`, 200, []string{`"id":3`, `"result"`}},
		"a limit of words":    {`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_products","arguments":{"limit":"many"}}}`, 200, []string{"limit must be a whole number"}},
	} {
		w := c.send("POST", "/mcp", tt.body)
		text := w.Body.String()
		if w.Code != tt.status || name == "a limit as a text" && strings.Contains(text, `"isError":true`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		for _, part := range tt.want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %s has no %s", name, w.Body, part)
			}
		}
	}
	if w := c.send("POST", "/mcp/", ping); w.Code != 200 || !strings.Contains(w.Body.String(), `"result"`) {
		t.Errorf("with a slash: %d %s", w.Code, w.Body)
	}
}
