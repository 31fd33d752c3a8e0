//go:build browser || drill

package channels_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/app/channels"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/documentation/published"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/views/browsertest"
)

// typist has a keyboard and no mouse.
type typist struct {
	*testing.T
	ctx    context.Context
	origin string
}

// newTypist opens a browser before a site with the published contracts. wrap may put
// something around the site.
func newTypist(t *testing.T, wrap func(http.Handler) http.Handler) (*typist, *webtest.Site) {
	t.Helper()
	pool := seedtest.Pool(t)
	documentation := published.New(pool, db.NewListener(pool))
	site := webtest.New(t, func(d *web.Deps) {
		d.DB, d.Documentation = pool, documentation
		d.Ranges = webhookrange.New(webhookrange.Options{Channels: channels.Declared(), DB: pool, Keyring: d.Keyring, PublicURL: d.Config.PublicURL})
	})
	if err := documentation.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	handler := site.Server.Handler()
	if wrap != nil {
		handler = wrap(handler)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.CloseClientConnections)
	return &typist{t, browsertest.Open(t), server.URL}, site
}

// open opens a page and waits until its script runs.
func (y *typist) open(path string) {
	y.Helper()
	if err := chromedp.Do(y.ctx, chromedp.Navigate(y.origin+path)); err != nil {
		y.Fatal(err)
	}
	y.until("the script of "+path, `document.documentElement.classList.contains("js") && document.readyState === "complete"`)
}

func (y *typist) key(keys string) {
	y.Helper()
	if err := chromedp.Do(y.ctx, chromedp.KeyEvent(keys)); err != nil {
		y.Fatal(err)
	}
}

// press moves the focus to an element by Tab, and presses Enter there.
func (y *typist) press(selector string) {
	y.Helper()
	browsertest.Tab(y.T, y.ctx, selector)
	y.key("\r")
}

// types moves to the editor by Tab and replaces its text.
func (y *typist) types(text string) {
	y.Helper()
	browsertest.Tab(y.T, y.ctx, "#field-text")
	browsertest.Evaluate[bool](y.T, y.ctx, `(document.querySelector("#field-text").select(), true)`)
	y.key(text)
}

// until waits until a condition holds.
func (y *typist) until(what, condition string) {
	y.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if browsertest.Evaluate[bool](y.T, y.ctx, `Boolean(`+condition+`)`) {
			return
		}
	}
	y.Fatalf("%s never came: %s", what, browsertest.Situation(y.T, y.ctx))
}

// judge holds the page to the rules of axe-core.
func (y *typist) judge(at string) {
	y.Helper()
	if found := browsertest.Judge(y.T, y.ctx); found != "" {
		y.Errorf("%s: %s", at, found)
	}
}
