package account_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// An Owner shares an account with another business and stops it. Others read.
func TestShareAccounts(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	owner, first := site.SignIn(t, 0, identity.Owner)
	viewer, _ := site.SignIn(t, first, identity.Viewer)
	_, second := site.SignIn(t, 0, identity.Owner)
	k, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	service := assets.New(site.DB, k)
	for _, id := range []int64{first, second} {
		if _, err := service.AddAccount(t.Context(), assets.By{OrganisationID: id, Actor: "test"}, fmt.Sprint("Repairs ", id)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := service.List(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	mine, err := service.List(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	account, business := fmt.Sprint(mine.Accounts[0].ID), fmt.Sprint(list.Businesses[0].ID)
	const path = "/account/assets"
	if a := viewer.Get(path); a.Status != 200 || a.Find("main form").Length() != 0 || !strings.Contains(a.Find("main").Text(), account) {
		t.Errorf("a Viewer gets %d %s", a.Status, a.Find("main").Text())
	}
	if a := viewer.Post(path+"/shares", url.Values{"account": {account}, "business": {business}}); a.Status != 403 {
		t.Errorf("a Viewer shares: %d", a.Status)
	}
	owner.Get(path)
	for _, c := range []*webtest.Client{owner, owner.HX(ui.Form.Of("share"))} {
		if a := c.Post(path+"/shares", url.Values{"account": {account}, "business": {"77"}}); a.Status != 422 || a.Find(".field.invalid #field-business").AttrOr("value", "") != "77" {
			t.Errorf("a wrong business: %d %s", a.Status, a.Find("form").Text())
		}
	}
	if a := owner.Post(path+"/shares", url.Values{"account": {account}, "business": {business}}); a.Status != 303 {
		t.Fatalf("sharing: %d %s", a.Status, a.Find("main").Text())
	}
	end := path + "/" + account + "/shares/" + business + "/end"
	if a := owner.Get(path); a.Find("main a[href='"+end+"']").Length() != 1 {
		t.Fatalf("no button that ends it: %s", a.Find("main").Text())
	}
	if a := owner.Get(end); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "no longer finds") {
		t.Errorf("the question: %d %s", a.Status, a.Find("main").Text())
	}
	if a := owner.Post(end, nil); a.Status != 303 {
		t.Errorf("ending it: %d", a.Status)
	}
	for _, c := range []func() *webtest.Answer{func() *webtest.Answer { return owner.Get(end) }, func() *webtest.Answer { return owner.Post(end, nil) }} {
		if a := c(); a.Status != 404 {
			t.Errorf("ending what has ended: %d", a.Status)
		}
	}
}
