package people_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
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

// A Super Admin removes a number, its account and a catalogue, after a question that
// names what depends on them. Others cannot.
func TestRemoveOrganisationAssets(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	viewer, boss := site.SignInAdmin(t, identity.Viewer), site.SignInAdmin(t, identity.SuperAdmin)
	_, id := site.SignIn(t, 0, identity.Owner)
	path := fmt.Sprintf("/admin/organisations/%d/assets", id)
	for _, add := range []struct {
		kind   string
		values url.Values
	}{
		{"accounts", url.Values{"account_name": {"Repairs"}}}, {"catalogues", url.Values{"catalogue_name": {"Winter lamps"}}},
		{"numbers", url.Values{"verified_name": {"Lamp repairs"}, "number": {"+91 98123 45678"}}},
	} {
		if a := boss.Once().Post(path+"/"+add.kind, add.values); a.Status != 303 {
			t.Fatalf("%s: %d", add.kind, a.Status)
		}
	}
	asset := func(table string) (n int64) {
		t.Helper()
		if err := site.DB.QueryRow(t.Context(), `select id from `+table+` where organisation_id = $1`, id).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	number, account, catalogue := asset("phone_numbers"), asset("business_accounts"), asset("catalogues")
	removal := func(asset int64) string { return fmt.Sprintf("%s/%d/removal", path, asset) }
	if n := viewer.Get(path).Find("a[href$='/removal']").Length(); n != 0 {
		t.Errorf("a Viewer sees %d buttons that remove", n)
	}
	if n := boss.Get(path).Find("a[href$='/removal']").Length(); n != 3 {
		t.Errorf("%d buttons that remove, want 3", n)
	}
	for _, a := range []*webtest.Answer{viewer.Get(removal(number)), viewer.Post(removal(number), nil)} {
		if a.Status != 403 {
			t.Errorf("a Viewer removes a number: %d", a.Status)
		}
	}
	for _, a := range []*webtest.Answer{boss.Get(removal(account)), boss.Post(removal(account), nil)} {
		if a.Status != 409 || !strings.Contains(a.Find("body").Text(), "has phone numbers") {
			t.Errorf("an account with a number: %d %s", a.Status, a.Find("main").Text())
		}
	}
	for _, step := range []struct {
		asset      int64
		asks, says string
	}{
		{number, "QR codes", "The number is removed"}, {account, "0 templates and 0 shares", "The account is removed"}, {catalogue, "0 products", "The catalogue is deleted"},
	} {
		if a := boss.HX(ui.Confirm.Of(fmt.Sprint(step.asset))).Get(removal(step.asset)); a.Status != 200 || !strings.Contains(a.Text(), step.asks) {
			t.Errorf("the question in its place: %d %s", a.Status, a.Text())
		}
		if a := boss.Get(removal(step.asset)); a.Status != 200 || !strings.Contains(a.Find("main").Text(), step.asks) {
			t.Errorf("the question on its own page: %d %s", a.Status, a.Find("main").Text())
		}
		a := boss.Post(removal(step.asset), nil)
		if a.Status != 303 || !strings.Contains(boss.Follow(a).Find("body").Text(), step.says) {
			t.Errorf("removing: %d %s", a.Status, a.Find("main").Text())
		}
		if a := boss.Get(removal(step.asset)); a.Status != 404 {
			t.Errorf("what is removed: %d", a.Status)
		}
	}
	if a := boss.Once().Post(path+"/accounts", url.Values{"account_name": {"Repairs"}}); a.Status != 303 {
		t.Fatal(a.Status)
	}
	if a := boss.Once().Post(path+"/numbers", url.Values{"verified_name": {"Lamp repairs"}, "number": {"+91 98123 45678"}}); a.Status != 303 {
		t.Errorf("a removed number is added again: %d %s", a.Status, a.Find("form").Text())
	}
	var recorded string
	err := site.DB.QueryRow(t.Context(), `
		select string_agg(action, ' ' order by seq) from audit_entries where target = $1 and action like '%.remove'`, fmt.Sprintf("organisation:%d", id)).Scan(&recorded)
	if err != nil || recorded != "phone_number.remove business_account.remove catalogue.remove" {
		t.Errorf("the audit has %q, %v", recorded, err)
	}
}
