package views_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/static"
	"heliograph/views/browsertest"
)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// serve shows every page at its name under the policy of production.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	bodies := map[string][]byte{}
	for _, p := range pages() {
		if bodies["/"+p.name] != nil {
			t.Fatalf("two pages are named %s", p.name)
		}
		bodies["/"+p.name] = render(t, p)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		if asset, ok := static.Open(r.URL.Path); ok {
			w.Header().Set("Content-Type", asset.ContentType)
			_, _ = w.Write(asset.Body)
			return
		}
		body, ok := bodies[r.URL.RequestURI()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	return server
}

// TestPagesInBrowser opens every page in three widths and two themes: nothing
// may be wider than the screen, axe-core must find nothing at the two common
// widths, and the browser may not complain.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	said := browsertest.Complaints(t, ctx, server.URL)
	for _, p := range pages() {
		for _, look := range []struct {
			theme string
			width int64
		}{{"light", 1440}, {"light", 390}, {"dark", 1440}, {"dark", 390}, {"dark", 320}} {
			at := fmt.Sprintf("%s %s %d", p.name, look.theme, look.width)
			err := chromedp.Do(ctx,
				chromedp.EmulateViewport(look.width, 900),
				browsertest.Prefer(look.theme),
				chromedp.Navigate(server.URL+"/"+p.name))
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			if over := browsertest.Evaluate[int64](t, ctx, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s is wider than the screen by %d", at, over)
			}
			for _, s := range said() {
				t.Errorf("%s: the browser says: %s", at, s)
			}
			if look.width == 320 {
				continue
			}
			if violations := browsertest.Judge(t, ctx); violations != "" {
				t.Errorf("%s:\n%s", at, violations)
			}
			browsertest.Photograph(t, ctx, at)
		}
	}
}
