//go:build browser

package web_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/app/operation/setting"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// A person sends an enquiry by keyboard, with and without script, while forms ask
// for a proof of work. With script the browser computes it, and without it the
// sender is asked to confirm by email.
func TestContactFormInBrowser(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]bool{"with script": true, "without script": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.Pool(t)
			site := webtest.New(t, func(d *web.Deps) { d.DB = pool })
			_, err := site.Settings.SaveContact(t.Context(), setting.ContactChange{KeepDays: "10", KeepSpamDays: "5", Challenge: "on"}, "admin:1")
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(site.Server.Handler())
			t.Cleanup(server.CloseClientConnections)
			ctx := browsertest.Open(t)
			said := browsertest.Complaints(t, ctx, server.URL)
			do := func(actions ...chromedp.Action[chromedp.Void]) {
				t.Helper()
				if err := chromedp.Do(ctx, actions...); err != nil {
					t.Fatal(err)
				}
			}
			enter := func(field, text string) {
				t.Helper()
				browsertest.Tab(t, ctx, `[name="`+field+`"]`)
				do(chromedp.KeyEvent(text))
			}
			do(browsertest.Script(script), chromedp.Navigate(server.URL+"/contact-us"))
			judge := func(what string) {
				t.Helper()
				if !script {
					return // axe-core is a script
				}
				if findings := browsertest.Judge(t, ctx); findings != "" {
					t.Errorf("%s:\n%s", what, findings)
				}
			}
			judge("the form")
			enter("organisation", "Lighthouse")
			enter("name", "Mira")
			enter("email", "mira@example.com")
			enter("phones", "+91 98123 45678")
			enter("message", "What does going live take?")
			enter("consent", " ")
			browsertest.Tab(t, ctx, "main button[type=submit]")
			do(chromedp.KeyEvent("\r"))
			want := `document.querySelector("h1")?.textContent === "Thank you"`
			if !script {
				want = `document.querySelector("h1")?.textContent === "One more step"`
			}
			asked := false
			awaitPage(t, ctx, want, func() {
				// A machine types faster than any person, and is asked once more.
				if !asked && browsertest.Evaluate[bool](t, ctx, `!!document.querySelector("main .alert")`) {
					asked = true
					judge("the form that asks again")
					browsertest.Tab(t, ctx, "main button[type=submit]")
					do(chromedp.KeyEvent("\r"))
				}
			})
			judge("the thanks")
			for _, line := range said() {
				if !strings.Contains(line, "422") { // the form that asks again
					t.Error(line)
				}
			}
			var status string
			if err := pool.QueryRow(t.Context(), `select status from contact_enquiries`).Scan(&status); err != nil || (status == "new") != script {
				t.Errorf("the enquiry is %s, %v", status, err)
			}
		})
	}
}

// awaitPage waits until an expression is true, and does something between looks.
func awaitPage(t *testing.T, ctx context.Context, expression string, between func()) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !browsertest.Evaluate[bool](t, ctx, `!!(`+expression+`)`); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the page never became %s: %s", expression, browsertest.Evaluate[string](t, ctx, `document.querySelector("main")?.innerText ?? ""`))
		}
		between()
	}
}
