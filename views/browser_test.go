//go:build browser

package views_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/static"
	"heliograph/views/browsertest"
)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

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

// TestPagesInBrowser opens every page as a narrow one, makes it narrower and wider,
// and looks at it in two themes when it is wide: nothing may be wider than the screen, axe-core must
// find nothing at the two common widths, and the browser may not complain. A page with
// as little as it can get is judged once.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	said := browsertest.Complaints(t, ctx, server.URL)
	for _, p := range pages() {
		for i, width := range []int64{390, 320, 700, 1024, 1440} {
			actions := []chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(width, 900), browsertest.Prefer("light")}
			if i == 0 {
				actions = append(actions, chromedp.Navigate(server.URL+"/"+p.name))
			}
			if err := chromedp.Do(ctx, actions...); err != nil {
				t.Fatalf("%s at %d: %v", p.name, width, err)
			}
			if over := browsertest.Evaluate[int64](t, ctx, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s at %d is wider than the screen by %d", p.name, width, over)
			}
			switch bare := strings.HasSuffix(p.name, "-empty"); {
			case !bare && (width == 390 || width == 1440):
				browsertest.JudgeWidth(t, ctx, width, p.name)
			case bare && width == 1440: // its colours are the ones of the rich page
				if violations := browsertest.JudgeLayout(t, ctx); violations != "" {
					t.Errorf("%s:\n%s", p.name, violations)
				}
			}
			for _, s := range said() {
				t.Errorf("%s at %d: the browser says: %s", p.name, width, s)
			}
		}
	}
}

// The ways of judging a page find what they exist for.
func TestJudgeFindsFaults(t *testing.T) {
	t.Parallel()
	server, ctx := serve(t), browsertest.Open(t)
	open(t, ctx, server.URL+"/home", 1440)
	browsertest.Evaluate[bool](t, ctx, `(() => {
		const faint = Object.assign(document.createElement("p"), {textContent: "Faint", id: "faint"});
		Object.assign(faint.style, {color: "#777", background: "#888"});
		document.querySelector("main").append(faint, document.createElement("img"));
		return true;
	})()`)
	if found := browsertest.Judge(t, ctx); !strings.Contains(found, "image-alt") || !strings.Contains(found, "#faint") {
		t.Errorf("Judge found %q, want a faint text and an image without a text", found)
	}
	if found := browsertest.JudgeLayout(t, ctx); !strings.Contains(found, "image-alt") || strings.Contains(found, "#faint") {
		t.Errorf("JudgeLayout found %q, want the image without a text alone", found)
	}
	if found := browsertest.JudgeColours(t, ctx); strings.Contains(found, "image-alt") || !strings.Contains(found, "#faint") {
		t.Errorf("JudgeColours found %q, want the faint text alone", found)
	}
}
