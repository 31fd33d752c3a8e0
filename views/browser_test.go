package views_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"heliograph/static"
)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// serve shows every page at its name under the policy of production.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	bodies := map[string][]byte{}
	for _, p := range pages() {
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

// browser starts Chromium, or skips where there is none and nobody insists.
func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("CI is set and chromium is not installed")
		}
		t.Skip("chromium is not installed")
	}
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.UserDataDir(t.TempDir())))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("starting chromium: %v", err)
	}
	ctx, cancel = context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// complaints collects what the browser says against a page: blocked by the
// policy, failed to load, threw, or asked another host.
func complaints(t *testing.T, ctx context.Context, origin string) func() []string {
	t.Helper()
	var lock sync.Mutex
	var said []string
	err := chromedp.Listen(ctx, func(event any) {
		lock.Lock()
		defer lock.Unlock()
		switch e := event.(type) {
		case *log.EventEntryAdded:
			said = append(said, e.Entry.Text+" "+e.Entry.URL)
		case *runtime.EventExceptionThrown:
			said = append(said, e.ExceptionDetails.Text)
		case *network.EventRequestWillBeSent:
			// The browser draws its own date fields with data URLs.
			if !strings.HasPrefix(e.Request.URL, origin) && !strings.HasPrefix(e.Request.URL, "data:") {
				said = append(said, "asked "+e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() []string {
		lock.Lock()
		defer lock.Unlock()
		out := said
		said = nil
		return out
	}
}

// TestPagesInBrowser opens every page in both themes and three widths: nothing
// may be wider than the screen, axe-core must find nothing at the two common
// widths, and the browser may not complain. HELIOGRAPH_PREVIEW names a folder for screenshots.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile("../static/testdata/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	server, ctx := serve(t), browser(t)
	said := complaints(t, ctx, server.URL)
	for _, p := range pages() {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{1440, 390, 320} {
				at := fmt.Sprintf("%s %s %d", p.name, theme, width)
				err := chromedp.Do(ctx,
					chromedp.EmulateViewport(width, 900),
					prefer(theme),
					chromedp.Navigate(server.URL+"/"+p.name))
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				if width := evaluate[int64](t, ctx, `document.documentElement.scrollWidth`); width > evaluate[int64](t, ctx, `innerWidth`) {
					t.Errorf("%s is wider than the screen: %d", at, width)
				}
				for _, s := range said() {
					t.Errorf("%s: the browser says: %s", at, s)
				}
				if width == 320 {
					continue
				}
				if violations := evaluate[string](t, ctx, string(axe)+judge); violations != "" {
					t.Errorf("%s:\n%s", at, violations)
				}
				photograph(t, ctx, at)
			}
		}
	}
}

// prefer sets what the system asks for: a theme, and no movement.
func prefer(theme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme},
			{Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return err
	})
}

func evaluate[T any](t *testing.T, ctx context.Context, script string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("evaluating %.60s: %v", script, err)
	}
	return v
}

// judge lists what axe-core finds, one line for each element.
const judge = `;axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then((r) =>
	r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target + " " + n.failureSummary.replace(/\s+/g, " "))).slice(0, 8).join("\n"))`

func photograph(t *testing.T, ctx context.Context, at string) {
	t.Helper()
	dir := os.Getenv("HELIOGRAPH_PREVIEW")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatalf("photographing %s: %v", at, err)
	}
	if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(at, " ", "-")+".png"), png, 0o600); err != nil {
		t.Fatal(err)
	}
}
