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

// A Super Admin gives numbers to an organisation and takes them away. Nobody else has
// a number that one has.
func TestOrganisationNumbers(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	viewer, boss := site.SignInAdmin(t, identity.Viewer), site.SignInAdmin(t, identity.SuperAdmin)
	_, first := site.SignIn(t, 0, identity.Owner)
	_, second := site.SignIn(t, 0, identity.Owner)
	at := func(id int64) string { return fmt.Sprintf("/admin/organisations/%d/sms", id) }
	set := func(c *webtest.Client, id int64, numbers string) *webtest.Answer {
		return c.Post(at(id)+"/numbers", url.Values{"numbers": {numbers}})
	}
	if a := set(viewer, first, "56767"); a.Status != 403 {
		t.Errorf("a Viewer gives a number: %d", a.Status)
	}
	if a := set(boss, first, "56767, +91 98123-45678,"); a.Status != 303 {
		t.Fatalf("giving numbers: %d %s", a.Status, a.Find("main").Text())
	}
	if text := viewer.Get(at(first)).Find("main").Text(); !strings.Contains(text, "56767, 919812345678") {
		t.Errorf("the page lacks the numbers: %s", text)
	}
	for _, wrong := range []string{"56767", "12", "PARCEL", "1234567890123456"} {
		for _, c := range []*webtest.Client{boss, boss.HX(ui.Form.Of("numbers"))} {
			if a := set(c, second, wrong); a.Status != 422 || a.Find(".field.invalid #field-numbers").AttrOr("value", "") != wrong {
				t.Errorf("%s: %d %s", wrong, a.Status, a.Find("form").Text())
			}
		}
	}
	if a := set(boss, first, "919812345678"); a.Status != 303 {
		t.Errorf("taking a number away: %d", a.Status)
	}
	if a := set(boss, second, "56767"); a.Status != 303 {
		t.Errorf("giving it to another: %d", a.Status)
	}
	if a := set(boss, first, "919812345678, 777"); a.Status != 303 {
		t.Errorf("giving one more: %d", a.Status)
	}
	var owned, recorded string
	err := site.DB.QueryRow(t.Context(), `
		select string_agg(number || ' ' || (organisation_id = $1), ', ' order by number), (select count(*)::text from audit_entries where action = 'sms_numbers.set')
		from sms_numbers`, second).Scan(&owned, &recorded)
	if err != nil || owned != "56767 true, 777 false, 919812345678 false" || recorded != "4" {
		t.Errorf("%s, %s in the audit, %v", owned, recorded, err)
	}
	if a := set(boss, 1099511627776, "777"); a.Status != 404 {
		t.Errorf("an unknown organisation: %d", a.Status)
	}
}
