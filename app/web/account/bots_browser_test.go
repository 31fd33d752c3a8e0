//go:build browser

package account_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// anyAddress accepts every webhook.
type anyAddress struct{}

func (anyAddress) CheckWebhook(context.Context, string, map[string]string) error { return nil }

// TestBotsInABrowser plays a recipient and invites a phone in place, and holds the
// pages of bots, also the desk's, to axe-core in both themes and two widths.
func TestBotsInABrowser(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	jobs, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	endpoints := relay.NewEndpoints(relay.Options{DB: pool, Keyring: testKeys, Jobs: jobs, Guard: anyAddress{}})
	s := webtest.New(t, func(d *web.Deps) {
		d.DB, d.RCS = pool, rcs.New(rcs.Options{Pool: pool, Keyring: testKeys, Jobs: jobs, Endpoints: endpoints, Limiter: limit.New(pool, testKeys)})
	})
	server := httptest.NewServer(s.Server.Handler())
	t.Cleanup(server.Close)
	origin := server.URL
	client, organisation := s.SignIn(t, 0, identity.Developer)
	admin := s.SignInAdmin(t, identity.SuperAdmin)
	var sandbox rcs.Sandbox
	err = db.InTx(t.Context(), s.DB, func(tx pgx.Tx) (err error) {
		sandbox, err = rcs.Provision(t.Context(), tx, organisation)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`update organisations set sandbox = true`,
		`update rcs_bots set verification = 'PENDING', submission = '{"contactEmail": "help@example.com", "optInDescription": "A box is ticked."}' where name = 'Parcel offers'`,
		`update rcs_templates set state = 'REJECTED', reason = 'Too short' where name = 'order_card'`,
	} {
		if _, err := s.DB.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	w := window{t, browsertest.Open(t)}
	for name, of := range map[string]*webtest.Client{"heliograph": client, "heliograph-admin": admin} {
		cookie := network.SetCookieParams{Name: name, Value: of.Cookie(name), URL: origin}
		w.do("signing in", browsertest.Call(network.SetCookie, cookie))
	}
	for _, width := range []int64{1440, 390} {
		for name, path := range map[string]string{
			"bots": "/account/bots", "bot": "/account/bots/" + sandbox.BotID, "bot webhook": "/account/bots/" + sandbox.BotID + "/webhook",
			"desk": "/admin/bots", "desk bot": "/admin/bots/" + sandbox.DraftBotID,
		} {
			w.do("opening", chromedp.EmulateViewport(width, 900), chromedp.Navigate(origin+path))
			browsertest.JudgeWidth(t, w.ctx, width, name)
		}
	}
	bot := "/account/bots/" + sandbox.BotID
	w.do("opening", chromedp.EmulateViewport(1440, 900), chromedp.Navigate(origin+bot))
	w.fill(".form-drawer:has(#field-phone_number) > summary", "\r")
	w.fill("#field-phone_number", "nobody")
	w.do("sending", chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS(".field.invalid #field-phone_number")))
	browsertest.JudgeThemes(t, w.ctx, "bot invalid number")
	w.do("opening", chromedp.Navigate(origin+bot))
	w.fill(".form-drawer:has(#field-phone_number) > summary", "\r")
	w.fill("#field-phone_number", "+919876543210")
	w.do("sending", chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS(".toast .done")))
	w.do("opening", chromedp.Navigate(origin+bot+"/webhook"))
	w.fill("#field-url", "http://127.0.0.1:9/rcs")
	w.do("sending", chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS(".toast .done")))
	w.do("opening", chromedp.Navigate(origin+bot))
	w.fill(".form-drawer:has(#field-text) > summary", "\r")
	w.fill("#field-text", "Where is it?")
	w.do("answering", chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS(".toast .done")))
}
