package people_test

import (
	"encoding/csv"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

func TestEnquiriesAreFoundAndShown(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.EnquiryRow, webtest.FailedRow, strings.NewReplacer("00000001", "00000002", "K7QF", "SPAM", "=Harbour", "Rubbish").Replace(webtest.EnquiryRow), `update contact_enquiries set status = 'spam' where organisation = 'Rubbish'`)
	for query, want := range map[string]string{
		"": "=Harbour K7QF-2M9X", "?q=k7qf": "=Harbour K7QF-2M9X", "?q=prices": "=Harbour K7QF-2M9X", "?q=98123": "=Harbour K7QF-2M9X", "?q=none": "", "?status=spam": "Rubbish SPAM-2M9X",
		"?status=open": "=Harbour K7QF-2M9X", "?status=won": "", "?delivery=failed": "=Harbour K7QF-2M9X", "?delivery=delivered": "", "?assignee=me": "", "?assignee=nobody": "=Harbour K7QF-2M9X",
	} {
		for name, browser := range map[string]*webtest.Client{"page": c, "fragment": c.HX(ui.List).On("/admin/contacts")} {
			if got := strings.Join(webtest.Column(browser.Get("/admin/contacts"+query), "Organisation"), ","); got != want {
				t.Errorf("%s as a %s lists %q, want %q", query, name, got, want)
			}
		}
	}
	a := c.Get(webtest.EnquiryPath)
	if a.Status != 200 || a.Find(".enquiry-text").Text() != "<b>Prices</b>, please." || !strings.Contains(a.Find("main").Text(), "410") {
		t.Errorf("the enquiry gives %d: %s", a.Status, a.Find("main").Text())
	}
	for _, path := range []string{"/admin/contacts/x", "/admin/contacts/0193a1b2-0000-7000-8000-00000000000f"} {
		if a := c.Get(path); a.Status != 404 {
			t.Errorf("%s gives %d", path, a.Status)
		}
	}
}

func TestEnquiriesAreWorked(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.EnquiryRow, webtest.FailedRow)
	for _, step := range []struct {
		path  string
		form  url.Values
		shows string
	}{
		{"/status", url.Values{"status": {"contacted"}}, "Changed the status from new to contacted"},
		{"/notes", url.Values{"note": {"Called back."}}, "Called back."},
		{"/retry", url.Values{"kind": {"email"}}, "Sent it again by email"},
	} {
		a := c.Post(webtest.EnquiryPath+step.path, step.form)
		if shown := c.Get(webtest.EnquiryPath).Find("main").Text(); a.Status != 303 || !strings.Contains(shown, step.shows) {
			t.Errorf("%s gives %d, and the page does not show %q", step.path, a.Status, step.shows)
		}
	}
	for _, step := range []struct {
		path   string
		form   url.Values
		status int
		shows  string
	}{
		{"/status", url.Values{"status": {"none"}}, 422, "Choose a status"},
		{"/notes", url.Values{"note": {" "}}, 422, "Enter a note"},
		{"/assignee", url.Values{"assignee": {"999999"}}, 422, "Choose an active administrator"},
		{"/retry", url.Values{"kind": {"webhook"}}, 409, "No webhook is set"},
	} {
		for name, browser := range map[string]*webtest.Client{"page": c, "fragment": c.HX().On(webtest.EnquiryPath)} {
			if a := browser.Post(webtest.EnquiryPath+step.path, step.form); a.Status != step.status || !strings.Contains(a.Body, step.shows) {
				t.Errorf("%s as a %s gives %d without %q", step.path, name, a.Status, step.shows)
			}
		}
	}
	viewer := site.SignInAdmin(t, identity.Viewer)
	if a := viewer.Get(webtest.EnquiryPath); a.Status != 200 || a.Find("main form").Length() != 0 {
		t.Errorf("a Viewer gets %d and %d forms", a.Status, a.Find("main form").Length())
	}
}

func TestActionsOnSeveralEnquiriesAreReported(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.EnquiryRow)
	ids := []string{"0193a1b2-0000-7000-8000-000000000001", "0193a1b2-0000-7000-8000-00000000000f"}
	a := c.Post("/admin/contacts/bulk", url.Values{"id": ids, "action": {"status:won"}})
	if got := webtest.Column(a, "Enquiry"); len(got) != 2 || got[0] != "=Harbour K7QF-2M9X" {
		t.Errorf("the report names %q", got)
	}
	if got := webtest.Column(a, "Result"); a.Status != 200 || len(got) != 2 || got[0] != "Done" || !strings.Contains(got[1], "does not exist") {
		t.Errorf("the report is %d %v", a.Status, got)
	}
	if a := c.Post("/admin/contacts/bulk", url.Values{"id": ids[:1], "action": {"assign"}}); a.Status != 303 || !strings.Contains(c.Follow(a).Find(".done").Text(), "1") {
		t.Errorf("one that succeeds gives %d", a.Status)
	}
	if a := c.Post("/admin/contacts/bulk", url.Values{"action": {"status:won"}}); a.Status != 422 || !strings.Contains(a.Body, "Choose 1 to 500") {
		t.Errorf("without a choice: %d", a.Status)
	}
}

// A spreadsheet that opens the file runs nothing of what visitors wrote, and the
// audit knows who took it.
func TestExportOfEnquiries(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.EnquiryRow)
	a := c.Get("/admin/contacts/export?q=harbour")
	rows, err := csv.NewReader(strings.NewReader(a.Body)).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][0] != "K7QF-2M9X" || rows[1][3] != "'=Harbour" || rows[1][7] != "'+919812345678" {
		t.Errorf("the file has %q, %v", rows, err)
	}
	var details string
	if err := site.DB.QueryRow(t.Context(), `select details::text from audit_entries where action = 'enquiry.export'`).Scan(&details); err != nil || strings.Contains(details, "harbour") || !strings.Contains(details, `"q"`) {
		t.Errorf("the audit has %s, %v", details, err)
	}
}

func TestContactSettings(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	const path = "/admin/contacts/settings"
	form := url.Values{"url": {"http://127.0.0.1:9/enquiries"}, "keep_days": {"30"}, "keep_spam_days": {"7"}, "challenge": {"on"}, "editors": {"yes"}}
	a := c.Post(path, form)
	shown := c.Follow(a)
	secret := shown.Find(".created code").Text()
	if a.Status != 303 || !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("saving gives %d and shows %q: %s", a.Status, secret, a.Find(".alert").Text())
	}
	if again := c.Get(a.Address()); strings.Contains(again.Body, secret) {
		t.Error("loading the page again shows the secret again")
	}
	if a := c.Post(path, form); a.Address() != path+"?done=saved" {
		t.Errorf("saving again leads to %s", a.Address())
	}
	a = c.Post(path+"/secret", nil)
	if fresh := c.Follow(a).Find(".created code").Text(); !strings.HasPrefix(fresh, "whsec_") || fresh == secret {
		t.Errorf("the new secret is %q", fresh)
	}
	v, err := site.Settings.Saved().Contact(t.Context())
	if err != nil || string(v.Previous) != secret || !v.Editors || v.KeepDays != 30 || v.Challenge != "on" {
		t.Errorf("stored: %+v, %v; the previous secret must sign for a day", v, err)
	}
	for name, value := range map[string]string{"url": "http://10.0.0.1/", "keep_days": "0", "keep_spam_days": "x", "challenge": "sometimes"} {
		wrong := url.Values{}
		for field, values := range form {
			wrong[field] = values
		}
		wrong.Set(name, value)
		if a := c.Post(path, wrong); a.Status != 422 || a.Find("#field-"+name+"-error").Length() != 1 {
			t.Errorf("%s = %s gives %d", name, value, a.Status)
		}
	}
}

func TestErasingAsksFirst(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.EnquiryRow)
	form := url.Values{"email": {"mira@example.com"}}
	if a := c.Post("/admin/contacts/erasure", form); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "cannot be undone") || c.Get(webtest.EnquiryPath).Status != 200 {
		t.Errorf("the first time gives %d", a.Status)
	}
	form.Set("confirmed", "true")
	if a := c.Post("/admin/contacts/erasure", form); a.Status != 303 || c.Get(webtest.EnquiryPath).Status != 404 || !strings.Contains(c.Follow(a).Find(".done").Text(), "1") {
		t.Errorf("confirmed: %d", a.Status)
	}
	if a := c.Post("/admin/contacts/erasure", url.Values{"email": {"mira"}}); a.Status != 422 {
		t.Errorf("a wrong address gives %d", a.Status)
	}
}

// What was sent again once was not sent again "1 times".
func TestRepeatsOfEnquiriesAreCounted(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.EnquiryRow)
	for n, want := range map[string]string{"1": "once, last", "3": "3 times, last"} {
		webtest.Exec(t, site, `update contact_enquiries set repeats = `+n+`, repeated_at = now()`)
		if text := c.Get(webtest.EnquiryPath).Find("main").Text(); !strings.Contains(text, want) || strings.Contains(text, "1 times") {
			t.Errorf("after %s repeats, the page does not say %q", n, want)
		}
	}
}
