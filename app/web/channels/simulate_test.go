package channels_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	views "heliograph/views/channels/simulate"

	"github.com/PuerkitoBio/goquery"
	"github.com/jackc/pgx/v5"
)

// newSite returns a site with the published contracts.
func newSite(t *testing.T) *webtest.Site {
	t.Helper()
	var refresh func() error
	site := webtest.Over(t, seedtest.Tx(t), func(d *web.Deps) {
		refresh = func() error { return d.Documentation.Refresh(t.Context()) }
	})
	if err := refresh(); err != nil {
		t.Fatal(err)
	}
	return site
}

// Every example of every simulator shows a phone, and the example that a page has is
// the one that was asked for.
func TestEveryExampleShowsAPhone(t *testing.T) {
	t.Parallel()
	client := newSite(t).Client(t)
	if a := client.Get("/simulators"); a.Status != http.StatusOK || a.Find(".cards a").Length() != 3 {
		t.Fatalf("the list: %d %s", a.Status, a.Body)
	}
	for path, want := range map[string]string{"business-messaging/3.0/send-message": "/simulators/messaging", "rcs/1.0/send-message": "/simulators/rcs", "sms/1.0/submit-sms": "/simulators/sms"} {
		if a := client.Get("/docs/" + path); a.Find(`a[href="`+want+`"]`).Length() == 0 {
			t.Errorf("%s (%d) does not lead to %s", path, a.Status, want)
		}
	}
	least := map[string]int{"messaging": 28, "rcs": 12, "sms": 10}
	for slug, n := range least {
		page := client.Get("/simulators/" + slug)
		options := page.Find("#field-example option")
		if options.Length() < n {
			t.Errorf("%s has %d examples, at least %d are wanted", slug, options.Length(), n)
		}
		for i := range options.Length() {
			name := options.Eq(i).AttrOr("value", "")
			a := client.Get("/simulators/" + slug + "?example=" + url.QueryEscape(name))
			if a.Status != http.StatusOK || a.Find(".sim-phone").Length() != 1 || a.Find(".sim-problems").Length() != 0 {
				t.Errorf("%s %s: %d %s", slug, name, a.Status, a.Find(".sim-problems").Text())
			}
			if got := a.Find("#field-example option[selected]").AttrOr("value", ""); got != name {
				t.Errorf("%s: asked for %s, chosen is %s", slug, name, got)
			}
			a.Find(".sim-preview [src], .sim-preview [href^=http]").Each(func(int, *goquery.Selection) { t.Errorf("%s %s leads to another host", slug, name) })
		}
	}
}

// A text that is wrong is answered with 422 and comes back, with its place. Nothing is
// stored, whatever is sent.
func TestTextsAreCheckedAndNotStored(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	client := site.Client(t)
	client.Get("/simulators/messaging")
	before := dbtest.Changed(t, site.DB.(pgx.Tx))
	tests := []struct {
		path, text string
		status     int
		want       string
	}{
		{"messaging", "{\r\n  \"to\": ,\r\n}", http.StatusUnprocessableEntity, "Line 2, column 9"},
		{"messaging", `{"messaging_product":"msgapp","to":"919812345678","text":{"body":""}}`, http.StatusUnprocessableEntity, "text.body"},
		{"messaging", `{"messaging_product":"msgapp","to":"919812345678","text":{"body":"*Hello* <b>Asha</b>"}}`, http.StatusOK, "<b>Asha</b>"},
		{"rcs", `{"botId":"b","to":"+919812345678","contentMessage":{"text":"x","y":1}}`, http.StatusUnprocessableEntity, "contentMessage.y"},
		{"sms", `{"messages":[{"dest":["919812345678"],"header":"NOBODY","msg":"x"}]}`, http.StatusUnprocessableEntity, "messages[0].header"},
		{"sms", `{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"x"}]}`, http.StatusOK, "1 part in the GSM alphabet"},
	}
	for _, tt := range tests {
		path := "/simulators/" + tt.path
		client.Get(path)
		a := client.Post(path, url.Values{"text": {tt.text}})
		if a.Status != tt.status || !strings.Contains(a.Find("#"+string(views.Preview)).Text(), tt.want) {
			t.Errorf("%s: %d, want %d with %q:\n%s", tt.text, a.Status, tt.status, tt.want, a.Find("#"+string(views.Preview)).Text())
		}
		if got := a.Find("#field-text").Text(); strings.TrimPrefix(got, "\n") != strings.ReplaceAll(tt.text, "\r\n", "\n") {
			t.Errorf("%q comes back as %q", tt.text, got)
		}
		part := client.HX(views.Preview).On(path).Post(path, url.Values{"text": {tt.text}})
		if part.Status != tt.status || part.Find("#field-text").Length() != 0 || !strings.Contains(part.Find("#"+string(views.Preview)).Text(), tt.want) {
			t.Errorf("%s: htmx gets %d %s", tt.text, part.Status, part.Body)
		}
	}
	for table, n := range dbtest.Changed(t, site.DB.(pgx.Tx)) {
		if table != "rate_limits" && n != before[table] {
			t.Errorf("rows of %s were changed", table)
		}
	}
}

// Too many previews are refused for a while, and the text stays.
func TestPreviewsAreLimited(t *testing.T) {
	t.Parallel()
	client := newSite(t).Client(t).Once()
	client.Get("/simulators/sms")
	text := `{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"x"}]}`
	for range 400 {
		a := client.HX(views.Preview).On("/simulators/sms").Post("/simulators/sms", url.Values{"text": {text}})
		if a.Status == http.StatusOK {
			continue
		}
		if a.Status != http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" {
			t.Fatalf("%d, Retry-After %q", a.Status, a.Header.Get("Retry-After"))
		}
		whole := client.Post("/simulators/sms", url.Values{"text": {text}})
		if whole.Status != http.StatusTooManyRequests || !strings.Contains(whole.Find("#field-text").Text(), text) || whole.Find(".sim-preview .alert").Length() != 1 {
			t.Errorf("%d %s", whole.Status, whole.Body)
		}
		return
	}
	t.Error("400 previews were answered")
}

// The chosen outcome shows its callbacks, with and without htmx, and stays chosen.
// Nothing is stored for it.
func TestOutcomesShowTheirCallbacks(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	client := site.Client(t)
	before := dbtest.Changed(t, site.DB.(pgx.Tx))
	tests := []struct {
		path, text, outcome string
		forms               int
		want                string
	}{
		{"messaging", `{"messaging_product":"msgapp","to":"919812345678","text":{"body":"x"}}`, "failed-131026", 1, "Webhook-Signature: v1,"},
		{"rcs", `{"botId":"b","to":"+919812345678","contentMessage":{"text":"x"}}`, "read", 3, "X-Goog-Signature: "},
		{"sms", `{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"x"}]}`, "delivered", 2, "status=DELIVRD"},
		{"sms", `{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"x"}]}`, "of another channel", 0, "Choose what happens"},
	}
	for _, tt := range tests {
		path := "/simulators/" + tt.path
		client.Get(path)
		form := url.Values{"text": {tt.text}, "outcome": {tt.outcome}}
		for _, a := range []*webtest.Answer{client.Post(path, form), client.HX(views.Preview).On(path).Post(path, form)} {
			part := a.Find(".sim-follow")
			if a.Status != http.StatusOK || part.Find("h3").Length() != tt.forms || !strings.Contains(part.Text(), tt.want) {
				t.Errorf("%s %s: %d, %d forms, want %d with %q\n%s", tt.path, tt.outcome, a.Status, part.Find("h3").Length(), tt.forms, tt.want, part.Text())
			}
			if chosen := part.Find("option[selected]").AttrOr("value", ""); tt.forms > 0 && chosen != tt.outcome {
				t.Errorf("%s: %q stays chosen, want %q", tt.path, chosen, tt.outcome)
			}
			if part.Find(`select[form="simulator"][name="outcome"]`).Length() != 1 || part.Find(`button[form="simulator"]`).Length() != 1 {
				t.Errorf("%s: the choice does not belong to the form with the text", tt.path)
			}
		}
	}
	for table, n := range dbtest.Changed(t, site.DB.(pgx.Tx)) {
		if table != "rate_limits" && n != before[table] {
			t.Errorf("rows of %s were changed", table)
		}
	}
}

// A text that would be accepted is written in each language and as JSON, and opens in the
// console as it stands. One that is refused is not taken along.
func TestTextsAreTakenAlong(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	client := site.Client(t)
	texts := map[string]string{
		"messaging": `{"messaging_product":"msgapp","to":"919812345678","text":{"body":"<i>Hé</i> & 'so'"}}`,
		"rcs":       `{"botId":"b","to":"+919812345678","contentMessage":{"text":"<i>Hé</i> & 'so'"}}`,
		"sms":       `{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"<i>Hé</i> & 'so'"}]}`,
	}
	for slug, text := range texts {
		path := "/simulators/" + slug
		first := client.Get(path)
		languages := first.Find("#field-lang option")
		if languages.Length() != 9 {
			t.Errorf("%s can be taken along in %d forms, want 8 languages and JSON", slug, languages.Length())
		}
		for i := range languages.Length() {
			lang := languages.Eq(i).AttrOr("value", "")
			a := client.Post(path, url.Values{"text": {text}, "lang": {lang}})
			code := a.Find("section[aria-labelledby=sim-take] pre").Text()
			if a.Status != http.StatusOK || !strings.Contains(code, "so") || a.Find("#field-lang option[selected]").AttrOr("value", "") != lang {
				t.Errorf("%s in %s: %d %s", slug, lang, a.Status, code)
			}
			if lang == "json" && !strings.Contains(code, "\"<i>Hé</i> & 'so'\"") {
				t.Errorf("%s as JSON is %s", slug, code)
			}
		}
		a := client.Post(path, url.Values{"text": {text}})
		console := a.Find("form[action^='/console/']")
		form := url.Values{}
		console.Find("input").Each(func(_ int, in *goquery.Selection) { form.Add(in.AttrOr("name", ""), in.AttrOr("value", "")) })
		if action := console.AttrOr("action", ""); action == "" {
			t.Errorf("%s does not lead to the console", slug)
		} else if opened := client.Once().Post(action, form); opened.Status != http.StatusOK || !strings.Contains(opened.Find("textarea[name=raw]").Text(), text) {
			t.Errorf("%s opens in the console with %d %s", slug, opened.Status, opened.Find("textarea[name=raw]").Text())
		}
		if a := client.Post(path, url.Values{"text": {"{}"}}); a.Find("#field-lang").Length() != 0 {
			t.Errorf("%s: a refused text is taken along", slug)
		}
	}
	member, _ := site.SignIn(t, 0, identity.Developer)
	for slug, text := range texts {
		path := "/simulators/" + slug
		member.Get(path)
		if a := member.Post(path, url.Values{"text": {text}}); a.Find("button[formaction='"+path+"/send'][form=simulator]").Length() != 1 {
			t.Errorf("%s cannot be sent in the sandbox", slug)
		}
		if a := member.Post(path+"/send", url.Values{"text": {text}}); a.Status != http.StatusOK || !strings.Contains(a.Find(".alert.good").Text(), "+910000000001") || !strings.Contains(a.Find(".sim-preview").Text(), "Messages") {
			t.Errorf("%s: sending gives %d %s", slug, a.Status, a.Find(".sim-preview").Text())
		}
		if a := member.Post(path+"/send", url.Values{"text": {strings.Replace(text, "so", "refuse", 1)}}); a.Status != http.StatusConflict || !strings.Contains(a.Find(".alert.bad").Text(), "refuses") {
			t.Errorf("%s: a refusal gives %d %s", slug, a.Status, a.Find(".sim-preview").Text())
		}
		if a := member.Post(path+"/send", url.Values{"text": {"{}"}}); a.Status != http.StatusUnprocessableEntity || a.Find(".alert.good").Length() != 0 {
			t.Errorf("%s: a text with problems gives %d", slug, a.Status)
		}
	}
	if a := client.Get("/simulators/sms"); a.Find("button[formaction]").Length() != 0 {
		t.Error("a visitor can send")
	}
	endpoint := client.Get("/docs/business-messaging/3.0/send-message?example=location")
	href := endpoint.Find(".samples a[href^='/simulators/']").AttrOr("href", "")
	if href == "" || href == "/simulators/messaging" || client.Get(href).Find("#field-example option[selected]").AttrOr("value", "") == "" {
		t.Errorf("the page of an endpoint leads to %q", href)
	}
}
