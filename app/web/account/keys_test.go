package account_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/db"
)

func text(id int64) string { return strconv.FormatInt(id, 10) }

// shown finds the key that an answer shows.
func shown(a *webtest.Answer) string {
	for field := range strings.FieldsFuncSeq(a.Find("main pre").First().Text(), func(r rune) bool { return strings.ContainsRune(" \n'\"", r) }) {
		if strings.HasPrefix(field, "hg_") {
			return field
		}
	}
	return ""
}

func TestKeyIsShownOnceAndWorksAtOnce(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, organisation := site.SignIn(t, 0, identity.Developer)
	keys := identity.NewKeys(site.DB, db.NewListener(nil))
	a := c.Follow(c.Post("/account/keys", url.Values{"name": {" Shop "}, "channels": {"messaging", "sms"}}))
	key := shown(a)
	if a.Status != 200 || key == "" || a.Header.Get("Cache-Control") != "no-store" || a.Find("button[data-copy]").Length() != 1 {
		t.Fatalf("creating gives %d: %s", a.Status, a.Find("main").Text())
	}
	caller, err := keys.Authenticate(t.Context(), key)
	if err != nil || caller.OrganisationID != organisation || strings.Join(caller.Channels, " ") != "messaging sms" {
		t.Errorf("the key gives %+v, %v", caller, err)
	}
	list := c.Get("/account/keys")
	if strings.Contains(list.Body, key) || !strings.Contains(list.Find("td.mono").Text(), key[:12]) || !strings.Contains(list.Find("tbody").Text(), "Shop") {
		t.Errorf("the list shows %s", list.Find("main").Text())
	}
	if strings.Contains(site.Log.String(), key) {
		t.Error("the key is in the log")
	}

	confirm, _ := list.Find(`tbody a`).Attr("href")
	asked := c.Get(confirm)
	if asked.Status != 200 || strings.TrimSpace(asked.Find("main button.danger").Text()) != "Revoke Shop" {
		t.Errorf("the question is %s", asked.Find("main").Text())
	}
	if a := c.Post(confirm, nil); a.Status != 303 || a.Header.Get("Location") != "/account/keys?done=key-revoked" {
		t.Errorf("revoking gives %d to %s", a.Status, a.Header.Get("Location"))
	}
	if _, err := identity.NewKeys(site.DB, db.NewListener(nil)).Authenticate(t.Context(), key); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("a revoked key gives %v", err)
	}
	if a := c.Post(confirm, nil); a.Status != 404 {
		t.Errorf("revoking again gives %d", a.Status)
	}
	actions := one[string](t, site, `select string_agg(action, ' ' order by seq) from audit_entries where action like 'api_key%'`)
	if actions != "api_key.create api_key.revoke" {
		t.Errorf("the audit holds %s", actions)
	}
}

func TestTwoKeysAtMost(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	by, _ := members(t, site)
	c := by[identity.Developer]
	for name, form := range map[string]url.Values{
		"name":     {"name": {"  "}, "channels": {"sms"}},
		"channels": {"name": {"Shop"}},
	} {
		a := c.Post("/account/keys", form)
		if a.Status != 422 || a.Find("#field-"+name+"-error").Length() != 1 {
			t.Errorf("without %s it gives %d", name, a.Status)
		}
	}
	if a := c.Post("/account/keys", url.Values{"name": {"<b>Shop</b>"}, "channels": {"fax"}}); a.Status != 422 || strings.Contains(a.Body, "<b>Shop") {
		t.Errorf("an unknown channel gives %d", a.Status)
	}
	for range 2 {
		if a := c.Post("/account/keys", url.Values{"name": {"Shop"}, "channels": {"sms"}}); a.Status != 303 {
			t.Fatalf("creating gives %d", a.Status)
		}
	}
	a := c.Post("/account/keys", url.Values{"name": {"Third"}, "channels": {"sms"}})
	if a.Status != 409 || !strings.Contains(a.Find("[role=alert]").Text(), "Two keys are already active") {
		t.Errorf("the third gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/account/keys"); a.Find("main form").Length() != 0 {
		t.Error("the form is offered while both places are taken")
	}
	if a := by[identity.Viewer].Get("/account/keys"); a.Find("main form, main td a").Length() != 0 || a.Find("tbody tr").Length() != 2 {
		t.Errorf("a viewer sees %s", a.Find("main").Text())
	}
}
