package channels_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// numbers returns the first two columns of the list.
func numbers(a *webtest.Answer) string {
	var rows []string
	for _, tr := range a.Find("main table tbody tr").EachIter() {
		if cells := tr.Find("td,th"); cells.Length() > 2 {
			rows = append(rows, strings.TrimSpace(cells.Eq(0).Text())+" "+strings.TrimSpace(cells.Eq(1).Text()))
		}
	}
	return strings.Join(rows, ", ")
}

// The lists of an organisation and of the platform are kept by the same page,
// and do not mix.
func TestListsAreKept(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	developer, organisation := site.SignIn(t, 0, identity.Developer)
	viewer, _ := site.SignIn(t, organisation, identity.Viewer)
	for path, c := range map[string]*webtest.Client{"/account/do-not-contact": developer, "/admin/do-not-contact": site.SignInAdmin(t, identity.SuperAdmin)} {
		if a := c.Get(path); a.Find(".empty").Length() != 1 || a.Find("main form[method=post]").Length() != 2 {
			t.Fatalf("%s: %d without numbers and with %d forms", path, a.Status, a.Find("main form[method=post]").Length())
		}
		for field, values := range map[string]url.Values{
			"recipient": {"recipient": {"12"}, "note": {"kept"}}, "channel": {"recipient": {"+919812345678"}, "channel": {"fax"}, "note": {"kept"}},
		} {
			a := c.HX(ui.Form.Of("number")).Post(path, values)
			if a.Status != 422 || a.Find(".field.invalid #field-"+field).Length() != 1 || a.Find("#field-note").AttrOr("value", "") != "kept" {
				t.Errorf("%s: a wrong %s gives %d: %s", path, field, a.Status, a.Body)
			}
		}
		if a := c.Post(path, url.Values{"recipient": {"+91 98123 45678"}, "channel": {"sms"}, "note": {"Asked by phone"}}); a.Status != 303 || c.Follow(a).Find(".done").Length() != 1 {
			t.Errorf("%s: adding gives %d", path, a.Status)
		}
		for content, want := range map[string]string{
			"": "no numbers", "number\n12\n919812345679\nx": "Line 2: Enter a number with its country code, such as +919812345678, or a user id of the messaging channel. Line 4", `"`: "not valid CSV",
		} {
			if a := c.Upload(path+"/import", "file", content); a.Status != 422 || !strings.Contains(a.Find("#field-file-error").Text(), want) {
				t.Errorf("%s: importing %q gives %d %q, want %q", path, content, a.Status, a.Find("#field-file-error").Text(), want)
			}
		}
		if a := c.Upload(path+"/import", "other", "x"); a.Status != 422 {
			t.Errorf("%s: an import without a file gives %d", path, a.Status)
		}
		if a := c.Upload(path+"/import", "file", "number,channel,note\n919812345679,RCS,a note\n+44 7400 123456\n"); a.Status != 303 {
			t.Errorf("%s: importing gives %d %s", path, a.Status, a.Find(".error").Text())
		}
		if got := numbers(c.Get(path)); got != "+447400123456 Every channel, +919812345678 SMS, +919812345679 RCS" {
			t.Errorf("%s: the list is %s", path, got)
		}
		if got := numbers(c.Get(path + "?number=%2B9198")); got != "+919812345678 SMS, +919812345679 RCS" {
			t.Errorf("%s: the filtered list is %s", path, got)
		}
		exported := c.Get(path + ".csv")
		if !strings.Contains(exported.Body, "number,channel,note,reason,since\n447400123456,,,list,") || strings.Count(exported.Body, "\n") != 4 {
			t.Errorf("%s: the file is\n%s", path, exported.Body)
		}
		if a := c.Upload(path+"/import", "file", exported.Body); a.Status != 303 {
			t.Errorf("%s: importing what was exported gives %d %s", path, a.Status, a.Find(".error").Text())
		}
		if a := c.Get(path + "/919812345678-sms/removal"); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "+919812345678") {
			t.Errorf("%s: the question is %d", path, a.Status)
		}
		for _, want := range []int{303, 404} {
			if a := c.Post(path+"/919812345678-sms/removal", nil); a.Status != want {
				t.Errorf("%s: removing gives %d, want %d", path, a.Status, want)
			}
		}
		if a := c.Get(path + "/919812345678-sms/removal"); a.Status != 404 {
			t.Errorf("%s: the question about a number that is gone is %d", path, a.Status)
		}
		if got := numbers(c.Get(path)); got != "+447400123456 Every channel, +919812345679 RCS" {
			t.Errorf("%s: the list is %s", path, got)
		}
	}
	if a := viewer.Get("/account/do-not-contact"); a.Find("main form[method=post]").Length() != 0 || numbers(a) != "+447400123456 Every channel, +919812345679 RCS" {
		t.Errorf("a viewer sees %d with %s", a.Status, numbers(a))
	}
	if a := viewer.Post("/account/do-not-contact", url.Values{"recipient": {"+919812345678"}}); a.Status != 403 {
		t.Errorf("a viewer adds a number: %d", a.Status)
	}
	other, _ := site.SignIn(t, 0, identity.Owner)
	if got := numbers(other.Get("/account/do-not-contact")); got != "" {
		t.Errorf("another organisation sees %s", got)
	}
}
