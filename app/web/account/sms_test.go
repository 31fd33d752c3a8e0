package account_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/sms"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/views/ui"
)

func openSMS(t *testing.T) *office {
	t.Helper()
	o := open(t, webtest.New(t, nil))
	err := db.InTx(t.Context(), o.site.DB, func(tx pgx.Tx) error {
		_, err := sms.Provision(t.Context(), tx, testKeys, o.id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestSMSPage(t *testing.T) {
	t.Parallel()
	o := openSMS(t)
	a := o.viewer.Get("/account/sms")
	if text := a.Find("main").Text(); a.Status != 200 || !strings.Contains(text, "HELIOG") || !strings.Contains(text, "1107123456789012345") || a.Find("main form").Length() != 0 {
		t.Errorf("a viewer sees %d %s", a.Status, text)
	}
	if n := o.developer.Get("/account/sms").Find("main form").Length(); n != 3 {
		t.Errorf("a developer sees %d forms", n)
	}
	if a := o.viewer.Post("/account/sms/headers", url.Values{"header": {"PARCEL"}}); a.Status != 403 {
		t.Errorf("a viewer adds a header: %d", a.Status)
	}
}

// Each form says what is wrong beside its field and keeps what was typed, with
// htmx and without.
func TestSMSForms(t *testing.T) {
	t.Parallel()
	o := openSMS(t)
	for _, tt := range []struct {
		path, form, field, value string
		values                   url.Values
	}{
		{"/headers", "header", "header", "TOO LONG A HEADER", url.Values{"header": {"TOO LONG A HEADER"}}},
		{"/headers", "header", "header", "HELIOG", url.Values{"header": {"HELIOG"}}}, // it is there already
		{"/registration", "registration", "entity_id", "12ab", url.Values{"entity_id": {"12ab"}, "reports": {"1"}}},
		{"/texts", "text", "dlt_template_id", "12", url.Values{"name": {"A"}, "text": {"B"}, "dlt_template_id": {"12"}}},
		{"/texts", "text", "name", "", url.Values{"text": {"B"}}},
		{"/texts", "text", "text", "", url.Values{"name": {"A"}}},
		{"/texts", "text", "text_header", "", url.Values{"name": {"A"}, "text": {"B"}, "text_header": {"NOBODY"}}},
		{"/texts", "text", "text", "", url.Values{"name": {"A"}, "text": {"Hello {#var #}"}}},
	} {
		for _, client := range []*webtest.Client{o.developer, o.developer.HX(ui.Form.Of(tt.form))} {
			a := client.Post("/account/sms"+tt.path, tt.values)
			field := a.Find("#field-" + tt.field)
			if a.Status != 422 || a.Find(".field.invalid #field-"+tt.field).Length() != 1 || tt.value != "" && field.AttrOr("value", "") != tt.value {
				t.Errorf("%s %v: %d %s", tt.path, tt.values, a.Status, a.Find("form").Text())
			}
			if label := a.Find("label[for=field-" + tt.field + "]").Text(); tt.values.Get(tt.field) == "" && strings.Contains(label, "optional") {
				t.Errorf("%s %v: an empty field that is refused is labelled %s", tt.path, tt.values, label)
			}
		}
	}
	for path, values := range map[string]url.Values{
		"/headers": {"header": {"PARCEL"}}, "/registration": {"entity_id": {"1101234567890123499"}, "reports": {"2"}},
		"/texts": {"name": {"Ready"}, "text": {"Parcel {#var#} is ready."}, "dlt_template_id": {"1107123456789012399"}, "text_header": {"HELIOG"}},
	} {
		if a := o.developer.Post("/account/sms"+path, values); a.Status != 303 {
			t.Errorf("%s: %d %s", path, a.Status, a.Find("main").Text())
		}
	}
	text := o.viewer.Get("/account/sms").Find("main").Text()
	for _, want := range []string{"PARCEL", "1101234567890123499", "Parcel {#var#} is ready.", "dlr_url"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestSMSRemovals(t *testing.T) {
	t.Parallel()
	o := openSMS(t)
	var id string
	if err := o.site.DB.QueryRow(t.Context(), `select min(id)::text from sms_templates`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/account/sms/headers/HELIOG/remove", "/account/sms/headers/600123/remove", "/account/sms/texts/" + id + "/remove"} {
		if a := o.developer.Get(path); a.Status != 200 || a.Find("form[action='"+path+"']").Length() != 1 {
			t.Errorf("%s asks %d %s", path, a.Status, a.Find("main").Text())
		}
		if a := o.developer.Post(path, nil); a.Status != 303 {
			t.Errorf("%s: %d", path, a.Status)
		}
		if a := o.developer.Get(path); a.Status != 404 {
			t.Errorf("%s is still there: %d", path, a.Status)
		}
		if a := o.developer.Post(path, nil); a.Status != 404 {
			t.Errorf("%s is removed twice: %d", path, a.Status)
		}
	}
	if n := o.count(t, `select count(*) from audit_entries where action in ('sms_header.remove', 'sms_template.remove')`); n != 3 {
		t.Errorf("%d removals are in the audit", n)
	}
}

func TestSMSReportsPage(t *testing.T) {
	t.Parallel()
	o := openSMS(t)
	const path = "/account/sms/reports"
	if a := o.viewer.Get(path); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "Not set") || a.Find("main form").Length() != 0 {
		t.Errorf("a viewer sees %d %s", a.Status, a.Find("main").Text())
	}
	if a := o.developer.Post(path, url.Values{"url": {"http://10.0.0.1/"}}); a.Status != 422 || a.Find(".field.invalid #field-url").AttrOr("value", "") != "http://10.0.0.1/" {
		t.Errorf("a private address: %d %s", a.Status, a.Find("main").Text())
	}
	if a := o.developer.Post(path+"/test", nil); a.Status != 409 {
		t.Errorf("a test without an address: %d", a.Status)
	}
	if a := o.developer.Post(path, url.Values{"url": {"http://127.0.0.1:9/reports"}, "headers": {"X-Secret: mine"}}); a.Status != 303 {
		t.Fatalf("setting: %d %s", a.Status, a.Find("main").Text())
	}
	a := o.developer.Get(path)
	if a.Find("#field-url").AttrOr("value", "") != "http://127.0.0.1:9/reports" || !strings.Contains(a.Find("#field-headers").Text(), "X-Secret: mine") {
		t.Errorf("%s", a.Find("form").Text())
	}
	if a := o.developer.Post(path+"/secret", nil); a.Status != 200 || !strings.Contains(a.Find(".secret").Text(), "whsec_") {
		t.Errorf("the secret: %d", a.Status)
	}
	a = o.developer.Post(path+"/test", nil)
	if a.Status != 303 || !strings.HasPrefix(a.Address(), "/account/deliveries/") || o.jobs(t) != 1 {
		t.Errorf("a test gives %d %s with %d jobs", a.Status, a.Address(), o.jobs(t))
	}
	if a := o.developer.Follow(a); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "DELIVRD") {
		t.Errorf("the test's callback: %d %s", a.Status, a.Find("main").Text())
	}
	o.exec(t, `update deliveries set state = 'failed', finished_at = now()`)
	since := url.Values{"since": {"2020-01-01T00:00"}, "which": {"failed"}}
	if a := o.developer.Get(path + "/replay?" + since.Encode()); a.Status != 200 || !strings.Contains(a.Find("form[action='"+path+"/replay'] button").Text(), "Replay 1 callback") {
		t.Errorf("counting reports: %d %s", a.Status, a.Find("main").Text())
	}
	if a := o.developer.Get(path + "/replay?which=failed"); a.Status != 422 {
		t.Errorf("a replay without a day: %d", a.Status)
	}
	replayed := o.developer.Post(path+"/replay", since)
	if a := o.developer.Follow(replayed); replayed.Status != 303 || a.Find("main a[href='"+path+"']").Length() != 1 || o.jobs(t) != 2 {
		t.Errorf("replaying: %d %s", replayed.Status, a.Find("main").Text())
	}
	o.exec(t, `update webhooks set disabled_at = now(), disabled_reason = 'it failed for 3 days' where channel = 'sms'`)
	if a := o.developer.Post(path+"/enable", nil); a.Status != 303 || o.count(t, `select count(*) from webhooks where disabled_at is not null`) != 0 {
		t.Errorf("enabling: %d", a.Status)
	}
}

func TestSMSSecretPages(t *testing.T) {
	t.Parallel()
	o := openSMS(t)
	const path = "/account/sms/reports"
	shown := func() []string {
		a := o.developer.Post(path+"/secret", nil)
		if a.Status != 200 {
			t.Fatalf("revealing gives %d", a.Status)
		}
		return a.Find(".secret pre").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
	}
	first := shown()
	if len(first) != 1 {
		t.Fatalf("the page shows %d secrets", len(first))
	}
	if a := o.developer.Post(path+"/secret/retire", nil); a.Status != 409 {
		t.Errorf("retiring the only one gives %d", a.Status)
	}
	if a := o.viewer.Post(path+"/secret/rotate", nil); a.Status != 403 {
		t.Errorf("a viewer rotates: %d", a.Status)
	}
	if a := o.developer.Post(path+"/secret/rotate", nil); a.Status != 303 {
		t.Fatalf("rotating gives %d", a.Status)
	}
	if both := shown(); len(both) != 2 || both[1] != first[0] || both[0] == first[0] {
		t.Errorf("%d secrets", len(both))
	}
	if a := o.developer.Get(path); !strings.Contains(a.Find("main").Text(), "X-Signature-256 the previous one") {
		t.Error("the page does not say which secret signs")
	}
	if a := o.developer.Get(path + "/secret/retire"); a.Status != 200 || a.Find("form[action='"+path+"/secret/retire']").Length() != 1 {
		t.Errorf("the question gives %d", a.Status)
	}
	if a := o.developer.Post(path+"/secret/retire", nil); a.Status != 303 || len(shown()) != 1 {
		t.Errorf("retiring gives %d", a.Status)
	}
	if n := o.count(t, `select count(*) from audit_entries where action in ('webhook_secret.rotate', 'webhook_secret.retire')`); n != 2 {
		t.Errorf("%d changes are in the audit", n)
	}
}
