package reader_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// Every client has settings that parse and name this portal's address, and the
// links decode back to it.
func TestSetupPage(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	doc := p.page(t, "/mcp-setup")
	server := origin + "/mcp"
	panels := doc.Find(".tab-panel")
	if panels.Length() < 10 {
		t.Fatalf("%d clients", panels.Length())
	}
	for i := range panels.Length() {
		panel := panels.Eq(i)
		code := panel.Find("pre").Text()
		if !strings.Contains(code, server) {
			t.Errorf("%s: %s", panel.AttrOr("id", ""), code)
		}
		if strings.HasPrefix(code, "{") && !json.Valid([]byte(code)) {
			t.Errorf("%s is no JSON: %s", panel.AttrOr("id", ""), code)
		}
		href := panel.Find("a.button").AttrOr("href", "")
		if href == "" {
			continue
		}
		u, err := url.Parse(href)
		if err != nil || u.Scheme != "https" {
			t.Errorf("%s: %v", href, err)
			continue
		}
		config := u.Query().Get("config") + u.Query().Get("connectorUrl")
		if raw, err := base64.StdEncoding.DecodeString(config); err == nil {
			config = string(raw)
		}
		if !strings.Contains(config, server) {
			t.Errorf("%s leads to %s", href, config)
		}
	}
	for _, tool := range []string{"list_products", "list_versions", "list_endpoints", "get_endpoint", "search_api_docs"} {
		if !strings.Contains(doc.Find("main").Text(), tool) {
			t.Errorf("the page does not name %s", tool)
		}
	}
	if w := p.ask("GET", "/mcp-setup.md"); w.Code != 200 || !strings.Contains(w.Body.String(), "claude mcp add --transport http heliograph-docs "+server) {
		t.Errorf("%d %.300s", w.Code, w.Body)
	}
}
