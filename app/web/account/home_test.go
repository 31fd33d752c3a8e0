package account_test

import (
	"context"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/views/ui"
)

// stages reads how far each step of the card is.
func stages(a *webtest.Answer) string {
	var all []string
	for _, step := range a.Find("[data-step]").EachIter() {
		all = append(all, step.AttrOr("class", ""))
	}
	return strings.Join(all, " ")
}

// The card moves with what happens, as a page and as the fragment that script
// asks for, and gives way in the end.
func TestFirstVisit(t *testing.T) {
	t.Parallel()
	var keys *keyring.Keyring
	site := webtest.New(t, func(d *web.Deps) { keys = d.Keyring })
	by, organisation := members(t, site)
	c := by[identity.Developer]
	var sandbox assets.Sandbox
	err := db.InTx(t.Context(), site.DB, func(tx pgx.Tx) (err error) {
		sandbox, err = messaging.Provision(context.WithoutCancel(t.Context()), tx, keys, organisation, "Lighthouse")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	expect := func(want string) *webtest.Answer {
		t.Helper()
		whole := c.Get("/account")
		if stages(whole) != want || whole.Queries > 10 { // in four round trips
			t.Errorf("the card is %q after %d queries, want %q", stages(whole), whole.Queries, want)
		}
		whole.Find("[data-step]").Each(func(_ int, step *goquery.Selection) {
			id, state := ui.Region(step.AttrOr("id", "")), step.AttrOr("data-state", "")
			if a := c.HX(id).Get(step.Find("[hx-trigger]").AttrOr("hx-get", "")); a.Status != 204 {
				t.Errorf("%s is answered again while it is %s: %d", id, state, a.Status)
			}
			if a := c.HX(id).Get("/account?seen=before"); a.Find("li").Length() != 1 || a.Find("#"+string(id)).AttrOr("data-state", "") != state {
				t.Errorf("%s alone is %s", id, a.Body)
			}
		})
		return whole
	}
	expect("next later later")
	if a := by[identity.Viewer].Get("/account"); a.Find("form[action='/account/first-key']").Length() != 0 || !strings.Contains(a.Find("[data-step=key]").Text(), "developer or an owner") {
		t.Errorf("a viewer sees %s", a.Find("[data-start]").Text())
	}

	made := c.Follow(c.Post("/account/first-key", nil))
	key := shown(made)
	curl := made.Find("[data-step=send] pre").Text()
	if made.Status != 200 || key == "" || !strings.Contains(curl, key) || !strings.Contains(curl, "http://localhost:8080/v3/"+text(sandbox.PhoneNumberID)+"/messages") || !strings.Contains(curl, `"messaging_product": "msgapp"`) {
		t.Fatalf("the first key gives %d %s", made.Status, made.Find("main").Text())
	}
	if a := expect("lit next later"); strings.Contains(a.Body, key) || !strings.Contains(a.Find("[data-step=send] pre").Text(), "<API_KEY>") || !strings.Contains(a.Find("dd.mono").Text(), sandbox.PhoneNumber) {
		t.Errorf("the page shows %s", a.Find("main").Text())
	}

	exec(t, site, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload) values (gen_random_uuid(), $1, 'messaging', $2, '919812345678', 'template', '{}')`, organisation, sandbox.PhoneNumberID)
	before := expect("lit lit next").Find("[data-step=send]").AttrOr("data-state", "")
	number := "/account/webhooks/" + text(sandbox.PhoneNumberID)
	a := c.Get("/account")
	for _, link := range []string{"[data-step=send] a[href^='/account/messages/']", "[data-step=hear] a[href='" + number + "']", ".figures a[href='/account/messages']", ".figures a[href='/account/webhooks']", "td a[href^='/account/messages/']", ".more a[href='/account/messages']"} {
		if to := a.Find(link); to.Length() == 0 {
			t.Errorf("the overview has no link %s", link)
		} else if b := c.Get(to.AttrOr("href", "")); b.Status != 200 {
			t.Errorf("%s gives %d", link, b.Status)
		}
	}
	if by[identity.Viewer].Get("/account").Find("a[href='"+number+"']").Length() != 0 {
		t.Error("a viewer is sent to set the webhook")
	}
	exec(t, site, `update messages set state = 'read'`)
	if a := c.Get("/account"); a.Find("[data-step=send]").AttrOr("data-state", "") == before || !strings.Contains(a.Find("[data-step=send]").Text(), "is read") {
		t.Errorf("a message that was read shows %s", a.Find("[data-step=send]").Text())
	}
	exec(t, site, `insert into webhooks (organisation_id, channel, subject, url, headers) values ($1, 'messaging', $2, 'https://example.com/', '')`, organisation, text(sandbox.PhoneNumberID))
	if a := expect("lit lit next"); !strings.Contains(a.Find("[data-step=hear]").Text(), "webhook is set") {
		t.Errorf("a webhook shows %s", a.Find("[data-step=hear]").Text())
	}
	exec(t, site, `update webhooks set failures = 1, failing_since = now()`)
	if a := expect("lit lit next"); !strings.Contains(a.Find("[data-step=hear]").Text(), "does not respond") {
		t.Errorf("a failing webhook shows %s", a.Find("[data-step=hear]").Text())
	}
	exec(t, site, `insert into deliveries (webhook_id, organisation_id, event, body, state) select id, organisation_id, 'status', '', 'delivered' from webhooks`)
	if a := c.Get("/account"); a.Find("[data-start]").Length() != 0 || !strings.Contains(a.Find(".figures").Text(), "1 of 2") || a.Find("section[aria-labelledby=latest] tbody tr").Length() != 1 {
		t.Errorf("in the end the page shows %s", a.Find("main").Text())
	}
	if a := c.HX(ui.Live.Of("hear")).Get("/account?seen=next+set"); stages(a) != "lit" {
		t.Errorf("in the end the last step is %q", stages(a))
	}
}

// Reloading the page of the first key, or sending its form again, makes no second
// key.
func TestFirstKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Owner)
	made := c.Post("/account/first-key", nil)
	if made.Status != 303 || made.Address() != "/account" || strings.Contains(made.Body, "hg_") {
		t.Fatalf("creating gives %d to %s", made.Status, made.Address())
	}
	if live := c.With("X-Live", "true").HX(ui.Live.Of("key")).Get("/account?seen=before"); shown(live) != "" {
		t.Error("a live refresh takes the key from the page")
	}
	if a := c.Get("/account"); shown(a) == "" {
		t.Error("the page does not show the key")
	}
	if a := c.Get("/account"); shown(a) != "" {
		t.Error("the key is shown twice")
	}
	if again := c.Post("/account/first-key", nil); again.Status != 409 || shown(c.Get("/account")) != "" {
		t.Errorf("sending the form again gives %d", again.Status)
	}
	if n := one[int](t, site, `select count(*)::int from api_keys`); n != 1 {
		t.Errorf("there are %d keys", n)
	}
}

// What another organisation does moves nothing here.
func TestFirstVisitIsOnesOwn(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Owner)
	other, _ := site.SignIn(t, 0, identity.Owner)
	if a := other.Post("/account/first-key", nil); a.Status != 303 {
		t.Fatalf("the other's key gives %d", a.Status)
	}
	exec(t, site, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload) select gen_random_uuid(), max(id), 'sms', 1, '91', 'text', '{}' from organisations`)
	if a := c.Get("/account"); stages(a) != "next later later" {
		t.Errorf("the card is %q", stages(a))
	}
}
