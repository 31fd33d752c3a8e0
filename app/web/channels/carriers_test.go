package channels_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// A carrier is described and tried on its pages. Its key never comes back.
func TestCarrierIsSetUp(t *testing.T) {
	t.Parallel()
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.Header.Get("Authorization") + " " + string(body)
		if strings.Contains(got, "refuse") {
			w.WriteHeader(http.StatusBadRequest)
		}
		io.WriteString(w, `{"id":"a-1"}`) //nolint:errcheck // the test sees what is missing
	}))
	t.Cleanup(server.Close)
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	if a := c.Get("/admin/carriers"); a.Find(".empty").Length() != 2 || a.Find("details.form-drawer form[method=get] select[name=preset] option").Length() != 11 {
		t.Fatalf("without carriers: %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/admin/carriers"); a.Find("#form-route, [name=carrier]").Length() != 0 || a.Find(".empty a[href='#field-preset']").Text() != "Add a carrier" {
		t.Errorf("a route is offered without a carrier: %s", a.Find("main").Text())
	}
	if a := c.HX(ui.Form.Of("route")).Post("/admin/carriers/routes", url.Values{"channel": {"sms"}}); a.Status != 422 || !strings.Contains(a.Find("#field-carrier-error").Text(), "add one first") {
		t.Errorf("a route to no carrier gives %d: %s", a.Status, a.Body)
	}
	form := func(changes ...string) url.Values {
		v := url.Values{
			"kind": {"http"}, "name": {"operator"}, "url": {server.URL + "/send"}, "secret": {"planted-key"}, "setting_id": {"id"},
			"setting_headers": {"Authorization: Bearer {secret}"}, "setting_body": {`{"to":"{to}","text":"{text}","from":"{from}"}`},
		}
		for i := 0; i < len(changes); i += 2 {
			v.Set(changes[i], changes[i+1])
		}
		return v
	}
	if a := c.Get("/admin/carriers/new?preset=pigeon"); a.Status != 303 || a.Header.Get("Location") != "/admin/carriers" {
		t.Errorf("an unknown provider gives %d %s", a.Status, a.Header.Get("Location"))
	}
	if a := c.Get("/admin/carriers/new?kind=http"); a.Status != 200 || a.Find("textarea[name=setting_body]").Length() != 1 || a.Find("select[name=setting_method] option").Length() != 4 || a.Find("input[type=checkbox][name=setting_idempotent]").Length() != 1 || a.Find("input[type=password][name=secret]").Length() != 1 {
		t.Errorf("the form is %d", a.Status)
	}
	for preset, want := range map[string]string{"json": `"text":"{text}"`, "form": "text={text}", "query": ""} {
		a := c.Get("/admin/carriers/new?preset=" + preset)
		if body := a.Find("textarea[name=setting_body]").Text(); !strings.Contains(body, want) || (want == "") != (body == "") || !strings.Contains(a.Find("textarea[name=setting_headers]").Text(), "{secret}") {
			t.Errorf("the preset %s begins with %q", preset, body)
		}
	}
	for provider, want := range map[string][]string{
		"twilio": {"https://api.twilio.com/", "StatusCallback={report}", "auth token"}, "vonage": {"https://rest.nexmo.com/", "api_secret={secret}", "API_KEY"},
		"infobip": {"https://BASE_URL/", "callbackData", "base URL"}, "exotel": {"https://api.in.exotel.com/", "DltTemplateId={template_id}", "Base64"},
		"cloud": {"https://graph.facebook.com", "v23.0", "Access token"}, "rbm": {"https://rcsbusinessmessaging.googleapis.com", "Agents", "service account"}, "kannel": {"Kannel", "SMSC", "TLV"},
	} {
		a := c.Get("/admin/carriers/new?preset=" + provider)
		for _, part := range want {
			if !strings.Contains(a.Find("main").Text()+a.Find("#field-url").AttrOr("value", "")+a.Find("#field-setting_version").AttrOr("value", ""), part) {
				t.Errorf("the form of %s lacks %q: %d %s", provider, part, a.Status, a.Find("main").Text())
			}
		}
	}
	for _, provider := range []string{"exotel", "infobip", "twilio", "vonage", "json", "form", "query"} { // what a form begins with can be saved
		a := c.Get("/admin/carriers/new?preset=" + provider)
		values := url.Values{"name": {provider}, "url": {server.URL + "/send"}, "secret": {"planted-key"}}
		a.Find("main form [name]").Each(func(_ int, field *goquery.Selection) {
			name, value := field.AttrOr("name", ""), field.AttrOr("value", "")
			if field.Is("textarea") {
				value = field.Text()
			} else if field.Is("select") {
				value = field.Find("[selected]").AttrOr("value", "")
			}
			if !values.Has(name) && !field.Is("[type=checkbox]") {
				values.Set(name, value)
			}
		})
		if saved := c.Post("/admin/carriers", values); saved.Status != 303 {
			t.Errorf("%s begins with what cannot be saved: %d %s", provider, saved.Status, saved.Find(".alert").Text())
		}
	}
	if a := c.HX(ui.Form.Of("carrier")).Post("/admin/carriers", form("preset", "twilio", "name", "virtual")); a.Find("input[name=preset]").AttrOr("value", "") != "twilio" || !strings.Contains(a.Find("#field-secret-hint").Text(), "auth token") {
		t.Errorf("a preset with a mistake is shown as %s", a.Body)
	}
	if a := c.Post("/admin/carriers/routes", url.Values{"channel": {"sms"}, "carrier": {"operator"}, "organisation": {"x"}}); a.Status != 422 || a.Find("details.form-drawer[open] #field-organisation-error").Length() != 1 {
		t.Errorf("a route with a mistake is behind its button: %d", a.Status)
	}
	for want, values := range map[string]url.Values{
		"#field-name-error": form("name", "virtual"), "#field-url-error": form("url", "gopher://x"), ".alert": form("setting_body", "{number}"),
	} {
		a := c.HX(ui.Form.Of("carrier")).Post("/admin/carriers", values)
		if a.Status != 422 || a.Find(want).Length() == 0 || a.Find("textarea[name=setting_body]").Text() != values.Get("setting_body") || strings.Contains(a.Body, "planted-key") {
			t.Errorf("%s: %d %s", want, a.Status, a.Body)
		}
	}
	if a := c.Post("/admin/carriers", form()); a.Status != 303 {
		t.Fatalf("adding: %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Post("/admin/carriers", form()); a.Status != 422 || a.Find("#field-name-error").Length() != 1 {
		t.Errorf("adding it twice: %d", a.Status)
	}
	a := c.Get("/admin/carriers/operator")
	if text := a.Find("main").Text(); !strings.Contains(text, "Stored") || strings.Contains(a.Body, "planted-key") || a.Find("textarea[name=setting_headers]").Text() != "Authorization: Bearer {secret}" {
		t.Errorf("the carrier is shown as %s", text)
	}
	if a := c.Post("/admin/carriers/operator", form("secret", "", "setting_id", "")); a.Status != 303 {
		t.Errorf("changing it: %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Post("/admin/carriers/operator/test", url.Values{"sender": {"PARCEL"}, "recipient": {"12"}, "text": {"Hello"}}); a.Status != 422 || a.Find("#field-recipient-error").Length() != 1 {
		t.Errorf("a test to no number: %d", a.Status)
	}
	sms := url.Values{"sender": {"PARCEL"}, "recipient": {"+919812345678"}, "text": {"Hello"}}
	if a := c.HX(ui.Form.Of("test")).Post("/admin/carriers/operator/test", sms); a.Status != 200 || strings.Join(webtest.Column(a, "Result"), "") != "Passed" || !strings.Contains(strings.Join(webtest.Column(a, "Answer"), ""), "Taken after") || got != `Bearer planted-key {"to":"919812345678","text":"Hello","from":"PARCEL"}` {
		t.Errorf("the test message: %d, the carrier got %s", a.Status, got)
	}
	sms.Set("text", "refuse this")
	if a := c.Post("/admin/carriers/operator/test", sms); a.Status != 422 || !strings.Contains(a.Find("main form").Text(), "did not take") {
		t.Errorf("a test message that is refused: %d %s", a.Status, a.Find("main").Text())
	}
}

// The list says what each carrier did lately and which messages it takes. Disabling
// and removing ask first.
func TestCarriersAreWatchedAndRemoved(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.CarrierRow)
	c.Get("/admin/carriers")
	if a := c.Post("/admin/carriers/routes", url.Values{"channel": {"sms"}, "sender": {"PARCEL"}, "organisation": {"x"}, "carrier": {"operator"}}); a.Status != 422 || a.Find("#field-organisation-error").Length() != 1 {
		t.Errorf("a route of no organisation: %d", a.Status)
	}
	if a := c.Post("/admin/carriers/routes", url.Values{"channel": {"sms"}, "carrier": {"pigeon"}}); a.Status != 422 || !strings.Contains(a.Find("details[open] #field-carrier-error").Text(), "no carrier pigeon") {
		t.Errorf("a route to a carrier that does not exist: %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Post("/admin/carriers/routes", url.Values{"channel": {"sms"}, "sender": {"PARCEL"}, "carrier": {"operator"}}); a.Status != 303 {
		t.Errorf("a route: %d", a.Status)
	}
	webtest.Exec(t, site, `insert into carrier_minutes (carrier, minute, taken, refused, delayed, error) values
		('operator', date_trunc('minute', now()) - interval '1 minute', 40, 1, 0, 'carrier: 608 refused'), ('operator', now() - interval '30 minutes', 2, 0, 3, '')`)
	a := c.Get("/admin/carriers")
	for label, want := range map[string]string{"Per minute": "40", "Taken in an hour": "42", "Put off": "3", "State": "Enabled", "Last error": "carrier: 608 refused", "Sender": "PARCEL"} {
		if got := strings.TrimSpace(strings.Join(webtest.Column(a, label), "")); got != want {
			t.Errorf("%s is %q, want %q", label, got, want)
		}
	}
	for _, step := range []struct{ path, state string }{{"disabling", "Disabled"}, {"enabling", "Enabled"}} {
		if step.path == "disabling" {
			if a := c.Get("/admin/carriers/operator/disabling"); a.Status != 200 || a.Find("main form").Length() != 1 {
				t.Errorf("the question is %d", a.Status)
			}
		}
		if a := c.Post("/admin/carriers/operator/"+step.path, nil); a.Status != 303 || strings.Join(webtest.Column(c.Get("/admin/carriers"), "State"), "") != step.state {
			t.Errorf("%s: %d, want %s", step.path, a.Status, step.state)
		}
	}
	for _, path := range []string{"/admin/carriers/routes/sms-0-PARCEL/removal", "/admin/carriers/operator/removal"} {
		if a := c.Get(path); a.Status != 200 || a.Find("main form").Length() != 1 {
			t.Errorf("%s asks with %d", path, a.Status)
		}
		for _, want := range []int{303, 404} {
			if a := c.Post(path, nil); a.Status != want {
				t.Errorf("%s gives %d, want %d", path, a.Status, want)
			}
		}
	}
	if a := site.SignInAdmin(t, identity.Viewer).Get("/admin/carriers"); a.Status != 200 || a.Find("main form").Length() != 0 {
		t.Errorf("a viewer sees %d with forms", a.Status)
	}
}
