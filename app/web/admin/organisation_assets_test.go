package admin_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// A Super Admin adds an account, then a number and a catalogue. Others read.
func TestOrganisationAssets(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	viewer, boss := site.SignInAdmin(t, identity.Viewer), site.SignInAdmin(t, identity.SuperAdmin)
	_, id := site.SignIn(t, 0, identity.Owner)
	path := fmt.Sprintf("/admin/organisations/%d/assets", id)
	if a := viewer.Get(fmt.Sprintf("/admin/organisations/%d", id)); a.Find("main a[href='"+path+"']").Length() != 1 {
		t.Error("the organisation's page has no link to its numbers")
	}
	if a := viewer.Get(path); a.Status != 200 || a.Find("main form").Length() != 0 {
		t.Errorf("a Viewer gets %d and forms", a.Status)
	}
	if a := viewer.Post(path+"/accounts", url.Values{"account_name": {"Repairs"}}); a.Status != 403 {
		t.Errorf("a Viewer adds an account: %d", a.Status)
	}
	if a := boss.Get(path); a.Find("main form").Length() != 2 {
		t.Errorf("%d forms without an account, want 2", a.Find("main form").Length())
	}
	for _, c := range []*webtest.Client{boss, boss.HX(ui.Form.Of("add-account"))} {
		if a := c.Post(path+"/accounts", url.Values{"account_name": {" "}}); a.Status != 422 || a.Find(".field.invalid #field-account_name").Length() != 1 {
			t.Errorf("an account without a name: %d %s", a.Status, a.Find("form").Text())
		}
	}
	add := func(kind string, values url.Values) {
		t.Helper()
		if a := boss.Post(path+"/"+kind, values); a.Status != 303 {
			t.Fatalf("%s: %d %s", kind, a.Status, a.Find("main").Text())
		}
	}
	add("accounts", url.Values{"account_name": {"Repairs"}})
	add("catalogues", url.Values{"catalogue_name": {"Winter lamps"}})
	add("numbers", url.Values{"verified_name": {"Lamp repairs"}, "number": {"+91 98123 45678"}})
	if a := boss.Post(path+"/numbers", url.Values{"verified_name": {"Lamp repairs"}, "number": {"12"}}); a.Status != 422 || a.Find(".field.invalid #field-number").AttrOr("value", "") != "12" {
		t.Errorf("a wrong number: %d %s", a.Status, a.Find("form").Text())
	}
	text := viewer.Get(path).Find("main").Text()
	for _, want := range []string{"Repairs", "Winter lamps", "Lamp repairs", "+919812345678"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	var recorded string
	err := site.DB.QueryRow(t.Context(), `
		select string_agg(action, ' ' order by seq) from audit_entries where target = $1 and action like '%.add'`, fmt.Sprintf("organisation:%d", id)).Scan(&recorded)
	if err != nil || recorded != "business_account.add catalogue.add phone_number.add" {
		t.Errorf("the audit has %q, %v", recorded, err)
	}
	if a := boss.Post("/admin/organisations/1099511627776/assets/accounts", url.Values{"account_name": {"Repairs"}}); a.Status != 404 {
		t.Errorf("an unknown organisation: %d", a.Status)
	}
}
