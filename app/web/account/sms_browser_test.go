//go:build browser

package account_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// TestSMSInABrowser adds a header in place, asks before it is removed, and holds
// the pages to axe-core in both themes and two widths.
func TestSMSInABrowser(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	s := webtest.New(t, func(d *web.Deps) {
		d.DB, d.SMS = pool, sms.NewRegistry(pool, relay.NewEndpoints(relay.Options{DB: pool, Keyring: testKeys}))
	})
	server := httptest.NewServer(s.Server.Handler())
	t.Cleanup(server.Close)
	origin := server.URL
	client, organisation := s.SignIn(t, 0, identity.Developer)
	err := db.InTx(t.Context(), s.DB, func(tx pgx.Tx) error {
		_, err := sms.Provision(t.Context(), tx, testKeys, organisation)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w := window{t, browsertest.Open(t)}
	cookie := network.SetCookieParams{Name: "heliograph", Value: client.Cookie("heliograph"), URL: origin}
	w.do("signing in", browsertest.Call(network.SetCookie, cookie))
	// Only a sandbox shows what to try.
	if _, err := s.DB.Exec(t.Context(), `update organisations set sandbox = true`); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{1440, 390} {
		for _, path := range []string{"/account/sms", "/account/sms/reports"} {
			w.do("opening", chromedp.EmulateViewport(width, 900), chromedp.Navigate(origin+path))
			browsertest.JudgeWidth(t, w.ctx, width, strings.ReplaceAll(path[1:], "/", "-"))
		}
	}
	w.do("opening", chromedp.EmulateViewport(1440, 900), chromedp.Navigate(origin+"/account/sms"))
	drawer := chromedp.Click(chromedp.CSS("[aria-labelledby=headers] .form-drawer > summary"))
	w.do("asking for the form", drawer)
	w.fill("#field-header", "x!")
	w.do("sending", chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS(".field.invalid #field-header")))
	browsertest.JudgeThemes(t, w.ctx, "sms invalid header")
	w.do("opening", chromedp.Navigate(origin+"/account/sms"))
	w.do("asking for the form", drawer)
	w.fill("#field-header", "PARCEL")
	w.do("sending", chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS(".toast .done")))
	w.do("asking", chromedp.Click(chromedp.CSS("a[href='/account/sms/headers/PARCEL/remove']")), chromedp.WaitVisible(chromedp.CSS("form[action='/account/sms/headers/PARCEL/remove']")))
	browsertest.JudgeThemes(t, w.ctx, "sms asking")
}
