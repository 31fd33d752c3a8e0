package reader_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"heliograph/db"
	"heliograph/db/dbtest"
)

// messages are every method of the protocol with every name that something
// unpublished has.
func messages() (list []string) {
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
		list = append(list, fmt.Sprintf(`"method":%q`, method))
	}
	list = append(list, `"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	call := func(tool, args string) {
		list = append(list, fmt.Sprintf(`"method":"tools/call","params":{"name":%q,"arguments":{%s}}`, tool, args))
	}
	call("list_products", ``)
	call("search_api_docs", `"query":"987654"`)
	call("search_api_docs", `"query":"get"`)
	for _, product := range fillings["product"] {
		call("list_versions", fmt.Sprintf(`"product":%q`, product))
		call("list_endpoints", fmt.Sprintf(`"product":%q`, product))
		call("search_api_docs", fmt.Sprintf(`"query":"post","product":%q`, product))
		for _, endpoint := range []string{"get-a", "post", "sent-b"} {
			call("get_endpoint", fmt.Sprintf(`"product":%q,"endpoint_id":%q,"include":["parameters","request","responses","examples","schemas"]`, product, endpoint))
		}
		for _, path := range []string{"1.0", "1.0/endpoints/get-a", "1.0/openapi", "guides/begin"} {
			list = append(list, fmt.Sprintf(`"method":"resources/read","params":{"uri":"docs://%s/%s"}`, product, path))
		}
		for _, name := range []string{"product", "version", "endpoint", "path"} {
			list = append(list, fmt.Sprintf(`"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"docs://{product}/{version}"},"argument":{"name":%q,"value":""},"context":{"arguments":{"product":%q}}}`, name, product))
		}
		list = append(list, fmt.Sprintf(`"method":"prompts/get","params":{"name":"integrate_endpoint","arguments":{"product":%q,"endpoint":"post"}}`, product))
	}
	return list
}

// What is not public appears in no tool, resource, completion, prompt or error of
// the protocol, and hidden products do not exist there.
func TestNothingUnpublishedIsShownToAssistants(t *testing.T) {
	t.Parallel()
	site := searchable(t, dbtest.Pool(t), func(b db.Beginner) { secretive(t, b) })
	found := false
	for i, message := range messages() {
		r := httptest.NewRequest("POST", "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,`+message+`}`))
		r.Host, r.RemoteAddr = "localhost:8080", fmt.Sprintf("192.0.2.%d:1000", i%250)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		site.Server.Handler().ServeHTTP(w, r)
		body := strings.ToLower(w.Body.String())
		if w.Code != 200 {
			t.Errorf("%s: %d %s", message, w.Code, body)
		}
		found = found || strings.Contains(body, "docs://live/1.0")
		for _, secret := range []string{strings.ToLower(canary), "unborn/", "/docs/hidden", "/docs/withdrawn", "docs://soon", "docs://hidden/1.0/", "closest: hidden", "closest: withdrawn"} {
			if at := strings.Index(body, secret); at >= 0 && !strings.Contains(message, secret) {
				t.Errorf("%s shows %q: …%s…", message, secret, body[max(0, at-80):min(len(body), at+80)])
			}
		}
	}
	if !found {
		t.Error("nothing published is shown: the walk proves nothing")
	}
}
