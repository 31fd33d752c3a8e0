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

func TestOrganisationSMS(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	viewer, boss := site.SignInAdmin(t, identity.Viewer), site.SignInAdmin(t, identity.SuperAdmin)
	_, id := site.SignIn(t, 0, identity.Owner)
	path := fmt.Sprintf("/admin/organisations/%d/sms", id)
	if a := viewer.Get(fmt.Sprintf("/admin/organisations/%d", id)); a.Find("main a[href='"+path+"']").Length() != 1 {
		t.Error("the organisation's page has no link to its SMS")
	}
	if a := viewer.Get(path); a.Status != 200 || a.Find("main form").Length() != 0 || !strings.Contains(a.Find("main").Text(), "Active") {
		t.Errorf("a Viewer gets %d %s", a.Status, a.Find("main").Text())
	}
	if a := viewer.Post(path, url.Values{"state": {"suspended"}}); a.Status != 403 {
		t.Errorf("a Viewer who suspends gets %d", a.Status)
	}
	boss.Get(path)
	for field, values := range map[string]url.Values{
		"state":     {"state": {"gone"}, "class": {"standard"}},
		"class":     {"state": {"active"}, "class": {""}},
		"expires":   {"state": {"active"}, "class": {"otp"}, "expires": {"soon"}},
		"addresses": {"state": {"active"}, "class": {"otp"}, "addresses": {"10.0.0.0/8, here"}},
	} {
		for _, c := range []*webtest.Client{boss, boss.HX(ui.Form.Of("flags"))} {
			if a := c.Post(path, values); a.Status != 422 || a.Find(".field.invalid #field-"+field).Length() != 1 {
				t.Errorf("%s: %d %s", field, a.Status, a.Find("form").Text())
			}
		}
	}
	saved := url.Values{"state": {"suspended"}, "class": {"otp"}, "allows": {"api_access", "return_otp"}, "expires": {"2027-03-31"}, "addresses": {"203.0.113.7, 198.51.100.9/24"}}
	if a := boss.Post(path, saved); a.Status != 303 {
		t.Fatalf("saving gives %d %s", a.Status, a.Find("main").Text())
	}
	text := viewer.Get(path).Find("main").Text()
	for _, want := range []string{"Suspended (308)", "one recipient at a time", "2027-03-31", "203.0.113.7, 198.51.100.0/24"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	var allows string
	err := site.DB.QueryRow(t.Context(), `
		select concat(api_access, promotional, scheduling, international, auto_unicode, wide_reference, return_otp, ' ', (select count(*) from audit_entries where action = 'sms_account.flags'))
		from sms_accounts where organisation_id = $1`, id).Scan(&allows)
	if err != nil || allows != "tfffff"+"t 1" {
		t.Errorf("stored flags and audit entries %q, %v", allows, err)
	}
	if a := boss.Post("/admin/organisations/1099511627776/sms", saved); a.Status != 404 {
		t.Errorf("an unknown organisation: %d", a.Status)
	}
}
