//go:build judge

package assistant_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"heliograph/app/web/webtest"
)

// serve serves the endpoint at an address of this machine. Each request comes from
// another client, so that no rate limits them.
func (c client) serve() (address string) {
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := n.Add(1)
		r.RemoteAddr = fmt.Sprintf("198.18.%d.%d:4000", i/250%250, 1+i%250)
		c.site.Server.Handler().ServeHTTP(w, r)
	}))
	c.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// The official suite passes but for what testdata lists with a reason.
func TestConformance(t *testing.T) {
	t.Parallel()
	address := seeded(t).serve()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		expected, err := filepath.Abs("testdata/conformance-" + revision + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		cmd := webtest.Judge(t, "conformance", "server", "--url", address, "--requirements", revision, "--expected-failures", expected)
		out, err := cmd.CombinedOutput()
		if i := bytes.Index(out, []byte("=== SUMMARY")); i >= 0 {
			out = out[i:]
		}
		if err != nil {
			t.Errorf("revision %s: %v\n%s", revision, err, out)
		}
	}
}

// The Inspector lists everything, has nothing to say about the schemas of tools,
// and calls tools.
func TestInspector(t *testing.T) {
	t.Parallel()
	address := seeded(t).serve()
	inspect := func(args ...string) (result map[string]json.RawMessage) {
		cmd := webtest.Judge(t, "mcp-inspector", append([]string{"--cli", address, "--transport", "http"}, args...)...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil || errs.Len() > 0 {
			t.Errorf("%q: %v %s", args, err, &errs)
		}
		if err := json.Unmarshal(out, &result); err != nil {
			t.Errorf("%q: %v %s", args, err, out)
		}
		return result
	}
	for method, member := range map[string]string{"resources/list": "resources", "resources/templates/list": "resourceTemplates", "prompts/list": "prompts"} {
		if r := inspect("--method", method); len(r[member]) < 3 {
			t.Errorf("%s: %s", method, r[member])
		}
	}
	for _, era := range []string{"legacy", "modern"} {
		var tools []struct{ Name string }
		if err := json.Unmarshal(inspect("--protocol-era", era, "--method", "tools/list", "--strict")["tools"], &tools); err != nil || len(tools) != 5 {
			t.Errorf("tools of %s: %v %v", era, tools, err)
		}
	}
	for tool, args := range map[string]string{
		"get_endpoint": `{"product":"rcs","endpoint_id":"create-bot"}`, "search_api_docs": `{"query":"create bot"}`,
	} {
		r := inspect("--method", "tools/call", "--tool-name", tool, "--tool-args-json", args)
		if len(r["structuredContent"]) == 0 || string(r["isError"]) == "true" {
			t.Errorf("%s: %s", tool, r)
		}
	}
}
