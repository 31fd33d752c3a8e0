package reader_test

import (
	"net/http"
	"testing"
)

// A page and its Markdown share an address: Accept chooses, and the text is that
// of the address with .md at the end, byte for byte.
func TestAcceptChoosesMarkdown(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	for path, text := range map[string]string{
		"/": "/index.md", "/productguide": "/productguide.md", "/mcp-setup": "/mcp-setup.md", "/docs/rcs": "/docs/rcs.md", "/docs/rcs/1.0": "/docs/rcs/1.0.md",
		longPage: longPage + ".md", "/docs/rcs/1.0/schemas/Bot": "/docs/rcs/1.0/schemas/Bot.md", "/productguide/sms/delivery-reports": "/productguide/sms/delivery-reports.md",
	} {
		want := p.ask("GET", text)
		got := p.ask("GET", path, "Accept", "text/markdown, */*")
		if p.ask("GET", path).Code == http.StatusNotFound {
			continue // no schema of that name
		}
		if got.Code != 200 || got.Body.String() != want.Body.String() || got.Header().Get("Etag") != want.Header().Get("Etag") || got.Header().Get("Content-Type") != "text/markdown; charset=UTF-8" {
			t.Errorf("%s: %d %v %.100s", path, got.Code, got.Header(), got.Body)
		}
		if w := p.ask("GET", path, "Accept", "text/markdown", "If-None-Match", want.Header().Get("Etag")); w.Code != http.StatusNotModified {
			t.Errorf("%s with its tag: %d", path, w.Code)
		}
	}
	for accept, markdown := range map[string]bool{
		"": false, "*/*": false, "text/*": false, "text/html,application/xhtml+xml,*/*;q=0.8": false, "text/markdown": true, "text/html, text/markdown": true,
		"text/html, text/markdown;q=0.9": false, "text/html;q=0.5, text/markdown;q=0.9": true, "text/markdown;q=0": false, "text/markdown;q=x": false, "Text/Markdown; q=1.0": true,
	} {
		w := p.ask("GET", longPage, "Accept", accept)
		if got := w.Header().Get("Content-Type") == "text/markdown; charset=UTF-8"; got != markdown {
			t.Errorf("Accept %q: %s", accept, w.Header().Get("Content-Type"))
		}
	}
}
