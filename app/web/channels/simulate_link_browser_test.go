//go:build browser

package channels_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// A link to a text carries it in the fragment: the page that the link opens has the text,
// and it is in no address that the server sees, nor in its log.
func TestLinksKeepTheTextFromTheServer(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked strings.Builder
	y, site := newTypist(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			mu.Lock()
			asked.WriteString(r.URL.String() + " " + r.Referer() + "\n")
			mu.Unlock()
			next.ServeHTTP(w, r)
		})
	})
	const text = `{"messaging_product":"msgapp","to":"919812345678","text":{"body":"Heron by the weir – नमस्ते"}}`
	y.open("/simulators/messaging")
	y.types(text)
	y.until("the phone", `document.querySelector("#simulator-preview .sim-screen")?.textContent.includes("Heron by the weir")`)
	browsertest.Evaluate[bool](t, y.ctx, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)`)
	y.press("[data-share-text]")
	y.until("the link", `window.copied && document.querySelector("[data-share-text]").textContent === "Link copied"`)
	link := browsertest.Evaluate[string](t, y.ctx, `window.copied`)
	address, fragment, _ := strings.Cut(link, "#text=")
	if plain, err := base64.RawURLEncoding.DecodeString(fragment); err != nil || string(plain) != text || strings.Contains(address, "eron") {
		t.Fatalf("the link is %s: %q, %v", link, plain, err)
	}
	if err := chromedp.Do(y.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(link)); err != nil {
		t.Fatal(err)
	}
	y.until("the phone of the link", `document.querySelector("#simulator-preview .sim-screen")?.textContent.includes("नमस्ते")`)
	mu.Lock()
	defer mu.Unlock()
	for what, seen := range map[string]string{"an address": asked.String(), "the log": site.Log.String()} {
		if strings.Contains(seen, fragment[:20]) || strings.Contains(seen, "eron") || strings.Count(seen, "/simulators/messaging") < 2 {
			t.Errorf("%s has the text, or nothing:\n%.3000s", what, seen)
		}
	}
}
