//go:build browser

package account_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// openSite serves a site to browsers.
func openSite(t *testing.T) (*site, string) {
	t.Helper()
	pool := dbtest.Pool(t)
	s := &site{}
	s.Site = webtest.New(t, func(d *web.Deps) {
		d.DB = pool
		s.deps = *d
	})
	server := httptest.NewServer(s.Server.Handler())
	t.Cleanup(server.Close)
	return s, server.URL
}

// window is a browser window.
type window struct {
	t   *testing.T
	ctx context.Context
}

func (w window) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, actions...); err != nil {
		w.t.Fatalf("%s: %v", what, err)
	}
}

// focused waits until the page has put the focus on an element.
func (w window) focused(selector string) {
	w.t.Helper()
	script := `new Promise((done) => { const end = performance.now() + 10000; const look = () => document.activeElement.matches('` + selector + `') ? done(true) : performance.now() > end ? done(false) : setTimeout(look, 20); look(); })`
	there, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
	if err != nil || !there {
		w.t.Fatalf("the focus is not put on %s: %v", selector, err)
	}
}

// tab moves the focus by keyboard until it is on an element.
func (w window) tab(selector string) {
	w.t.Helper()
	browsertest.Tab(w.t, w.ctx, selector)
}

func (w window) fill(selector, text string) {
	w.t.Helper()
	w.tab(selector)
	w.do("typing", chromedp.KeyEvent(text))
}

// TestRegisterByKeyboard registers, corrects the form, enters the code and
// is in the account, without a pointer.
func TestRegisterByKeyboard(t *testing.T) {
	t.Parallel()
	s, origin := openSite(t)
	w := window{t, browsertest.Open(t)}
	start := time.Now()
	w.do("opening", chromedp.Navigate(origin+"/register"))
	w.fill("#field-organisation", "Lighthouse Books")
	w.fill("#field-email", asha)
	w.fill("#field-mobile", "+91 98123 45678")
	w.fill("#field-password", password)
	w.fill("#field-confirmation", "something else")
	w.do("sending", chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS("[data-focus]")))
	w.focused("[data-focus]")
	w.fill("#field-password", password)
	w.fill("#field-confirmation", password)
	w.do("sending", chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS(`.again [hx-trigger]`)))
	w.focused("#field-code")
	code := s.code(t, mobile)
	w.do("entering the code", chromedp.KeyEvent(code[:3]+" "+code[3:]+"\r"), chromedp.WaitVisible(chromedp.CSS(`form[action="/logout"]`)))
	t.Logf("from the form to the account in %s", time.Since(start).Round(time.Millisecond))
}

// TestRegisterWithoutScript does the same with script off, and gets another
// password afterwards.
func TestRegisterWithoutScript(t *testing.T) {
	t.Parallel()
	s, origin := openSite(t)
	w := window{t, browsertest.Open(t)}
	w.do("switching script off", browsertest.Script(false))
	field := func(name, text string) chromedp.Action[chromedp.Void] {
		return chromedp.SendKeys(chromedp.CSS("#field-"+name), text)
	}
	submit := chromedp.Click(chromedp.CSS("form .primary"))
	w.do("registering", chromedp.Navigate(origin+"/register"),
		field("organisation", "Lighthouse Books"), field("email", asha), field("mobile", "+91 98123 45678"),
		field("password", password), field("confirmation", password), submit,
		chromedp.WaitVisible(chromedp.CSS("#field-code")), chromedp.WaitVisible(chromedp.CSS(".again [hx-trigger]")))
	w.do("entering the code", field("code", s.code(t, mobile)), submit, chromedp.WaitVisible(chromedp.CSS(`form[action="/logout"]`)))
	s.forward(t)

	w.do("asking for a code", chromedp.Navigate(origin+"/forgot-password"), field("email", asha), submit, chromedp.WaitVisible(chromedp.CSS("#field-code")))
	w.do("choosing another password", field("code", s.code(t, mobile)), field("password", "eight bold wrens sing"), field("confirmation", "eight bold wrens sing"),
		submit, chromedp.WaitVisible(chromedp.CSS(`form[action="/logout"]`)))
}
