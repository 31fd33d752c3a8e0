package operation_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/people/notification"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/models"
	emails "heliograph/views/email"
)

// tried sends a test and follows to where it leads.
func tried(t *testing.T, c *webtest.Client, path, to string) *webtest.Answer {
	t.Helper()
	a := c.Post(path, url.Values{"to": {to}})
	if a.Status != 303 {
		t.Fatalf("a test gives %d: %s", a.Status, a.Find("main").Text())
	}
	return c.Get(strings.TrimSuffix(a.Header.Get("Location"), "#test"))
}

func TestSettingsAreForSuperAdmins(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	for _, role := range []string{identity.Viewer, identity.Editor} {
		c := site.SignInAdmin(t, role)
		for _, path := range []string{"/admin/sms-settings", "/admin/email-settings", "/admin/inbox"} {
			if a := c.Get(path); a.Status != 403 {
				t.Errorf("a %s at %s gets %d", role, path, a.Status)
			}
		}
		for _, path := range []string{"/admin/sms-settings", "/admin/sms-settings/test", "/admin/email-settings", "/admin/email-settings/test"} {
			if a := c.Post(path, webtest.SMSSettings("")); a.Status != 403 {
				t.Errorf("a %s posting to %s gets %d", role, path, a.Status)
			}
		}
	}
}

func TestSMSSettings(t *testing.T) {
	t.Parallel()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(400)
		fmt.Fprintf(w, "<b>no template</b> for %s, key %s", body, r.Header.Get("Authorization"))
	}))
	t.Cleanup(provider.Close)
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	shown := c.Get("/admin/sms-settings")
	if shown.Status != 200 || shown.Find("input[name=mode][value=virtual][checked]").Length() != 1 || shown.Find("input[name=budget]").AttrOr("value", "") != "1000" {
		t.Fatalf("the page is %d %s", shown.Status, shown.Body)
	}
	bad := webtest.SMSSettings("http://169.254.169.254/latest")
	bad.Set("allowed", "IN, Atlantis")
	bad.Set("budget", "many")
	bad.Set("alert_email", "asha")
	a := c.Post("/admin/sms-settings", bad)
	if a.Status != 422 || a.Find(".error").Length() != 4 || a.Find("[role=alert] li").Length() != 4 || strings.Contains(a.Body, "planted-sms-key") {
		t.Errorf("bad input gives %d with %d faults: %s", a.Status, a.Find(".error").Length(), a.Find("main").Text())
	}
	a = c.Post("/admin/sms-settings", webtest.SMSSettings(provider.URL+"/sms"))
	if a.Status != 303 || a.Header.Get("Location") != "/admin/sms-settings?done=saved" {
		t.Fatalf("saving gives %d: %s", a.Status, a.Find("main").Text())
	}
	shown = c.Get("/admin/sms-settings?done=saved")
	if shown.Find(".done").Length() != 1 || shown.Find("input[name=allowed]").AttrOr("value", "") != "IN, +9715" || shown.Find("input[name=api_key]").AttrOr("value", "") != "" {
		t.Errorf("after saving: %s", shown.Find("main").Text())
	}

	a = c.Post("/admin/sms-settings/test", url.Values{"to": {"98123"}})
	if a.Status != 422 || a.Find("#field-to-error").Length() != 1 {
		t.Errorf("a test to half a number gives %d", a.Status)
	}
	a = tried(t, c, "/admin/sms-settings/test", "+91 98123 45678")
	answer := a.Find("pre.answer").Text()
	if a.Status != 200 || !strings.Contains(answer, "400 Bad Request\n<b>no template</b> for") || !strings.Contains(answer, "key Bearer [secret]") {
		t.Errorf("the test gives %d: %s", a.Status, a.Find("#test").Text())
	}

	kept := webtest.SMSSettings(provider.URL + "/sms")
	kept.Set("api_key", "")
	kept.Set("mode", "virtual")
	c.Post("/admin/sms-settings", kept)
	if v, err := site.Settings.SMS(t.Context()); err != nil || string(v.APIKey) != "planted-sms-key" || v.Mode != models.ModeVirtual {
		t.Errorf("an empty key does not keep the stored one: %+v, %v", v, err)
	}
	kept.Set("forget_api_key", "yes")
	c.Post("/admin/sms-settings", kept)
	if v, err := site.Settings.SMS(t.Context()); err != nil || v.APIKey != "" {
		t.Errorf("the key is still stored: %v", err)
	}
	kept.Set("mode", "actual")
	if a := c.Post("/admin/sms-settings", kept); a.Status != 422 || a.Find("#field-api_key-error").Length() != 1 {
		t.Errorf("actual without a key gives %d", a.Status)
	}

	var audit string
	if err := site.DB.QueryRow(t.Context(), `select string_agg(action || ' ' || actor || ' ' || details::text, e'\n' order by seq) from audit_entries where action like 'setting.%'`).Scan(&audit); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"setting.update admin:", "sms.api_key set", "sms.api_key removed", `"budget": 50`, "setting.test admin:"} {
		if !strings.Contains(audit, want) {
			t.Errorf("the audit lacks %q:\n%s", want, audit)
		}
	}
	if strings.Contains(audit+site.Log.String(), "planted-sms-key") {
		t.Error("the audit or the log holds the key")
	}
}

func TestEmailSettings(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	if a := c.Get("/admin/email-settings"); a.Status != 200 || a.Find("input[name=mode]").Length() != 3 {
		t.Fatalf("the page is %d %s", a.Status, a.Body)
	}
	for _, tt := range []struct {
		form  url.Values
		field string
	}{
		{webtest.EmailSettings("mode", "smtp", "from", "portal@example.com"), "host"},
		{webtest.EmailSettings("mode", "smtp", "host", "smtp.example.com"), "from"},
		{webtest.EmailSettings("mode", "smtp", "from", "portal@example.com", "host", "smtp://smtp.example.com"), "host"},
		{webtest.EmailSettings("mode", "smtp", "from", "portal@example.com", "host", "smtp.example.com", "username", "portal"), "password"},
		{webtest.EmailSettings("mode", "api", "from", "portal@example.com", "api_key", "k"), "url"},
		{webtest.EmailSettings("mode", "api", "from", "portal@example.com", "url", "http://127.0.0.1:9/"), "api_key"},
		{webtest.EmailSettings("mode", "pigeon"), "mode"},
		{webtest.EmailSettings("port", "0"), "port"},
		{webtest.EmailSettings("tls", "ssl"), "tls"},
		{webtest.EmailSettings("contact", "Asha <asha@example.com>"), "contact"},
		{webtest.EmailSettings("from", "asha@example.com\r\nBcc: ravi@example.com"), "from"},
	} {
		if a := c.Post("/admin/email-settings", tt.form); a.Status != 422 || a.Find("#field-"+tt.field+"-error").Length() != 1 || a.Find("[role=alert] li").Length() != 1 {
			t.Errorf("%v gives %d: %s", tt.form, a.Status, a.Find(".error").Text())
		}
	}
	a := c.Post("/admin/email-settings", webtest.EmailSettings("mode", "smtp", "from", "Portal <portal@example.com>", "host", "127.0.0.1", "port", "9", "tls", "none", "username", "portal", "password", "planted-password"))
	if a.Status != 303 {
		t.Fatalf("saving gives %d: %s", a.Status, a.Find(".error").Text())
	}
	a = tried(t, c, "/admin/email-settings/test", "asha@example.com")
	if got := a.Find("#test .alert-title").Text(); !strings.HasPrefix(got, "No connection to 127.0.0.1:9") || strings.Contains(a.Find("#test .alert").Text(), "answered") {
		t.Errorf("nobody listens, and the page says %q: %s", got, a.Find("#test .alert").Text())
	}
	if a.Status != 200 || !strings.Contains(a.Find("pre.answer").Text(), "refused the connection") || strings.Contains(a.Body, "planted-password") {
		t.Errorf("the test gives %d: %s", a.Status, a.Find("#test").Text())
	}
	if a := c.Get("/admin/email-settings"); a.Find("input[name=forget_password]").Length() != 1 || a.Find("input[name=forget_api_key]").Length() != 0 || strings.Contains(a.Body, "planted-password") {
		t.Errorf("the page shows which secrets are stored: %s", a.Find("form#settings").Text())
	}
}

func TestInbox(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	if a := c.Get("/admin/inbox"); a.Status != 200 || a.Find(".empty").Length() != 1 {
		t.Fatalf("an empty inbox gives %d", a.Status)
	}
	if a := tried(t, c, "/admin/sms-settings/test", "+919812345678"); a.Status != 200 || a.Find("#test .alert-title").Text() != "Taken by the virtual inbox" || a.Find("#test .alert a[href='/admin/inbox']").Length() != 1 {
		t.Fatalf("a virtual test gives %d: %s", a.Status, a.Find("#test").Text())
	}
	test := func() *webtest.Answer {
		c.Get("/admin/email-settings")
		return c.Post("/admin/email-settings/test", url.Values{"to": {"asha@example.com"}})
	}
	for range 19 {
		test()
	}
	if a := test(); a.Status != 429 || a.Header.Get("Retry-After") == "" || a.Find("#test input[name=to]").AttrOr("value", "") != "asha@example.com" {
		t.Errorf("the 21st test within an hour gives %d: %s", a.Status, a.Find("#test").Text())
	}
	webtest.Exec(t, site, `delete from rate_limits`)
	test()
	a := c.Get("/admin/inbox")
	if a.Find(".message").Length() != notification.InboxPageSize || a.Find(".message h2").First().Text() != "Test of the email settings" {
		t.Fatalf("the inbox shows %d messages: %s", a.Find(".message").Length(), a.Find("main").Text())
	}
	next := a.Find("a[rel=next]").AttrOr("href", "")
	if a := c.Get(next); a.Find(".message").Length() != 1 || !strings.Contains(a.Find(".message-text").Text(), "000000 is your Heliograph code") {
		t.Errorf("the second page %q shows %s", next, a.Find("main").Text())
	}
	if a := c.Get("/admin/inbox?kind=sms&to=%2B91+98123"); a.Find(".message").Length() != 1 {
		t.Errorf("a filter shows %d messages", a.Find(".message").Length())
	}
	if a := c.Get("/admin/inbox?to=ravi"); a.Find(".message").Length() != 0 || a.Find(".empty a").AttrOr("href", "") != "/admin/inbox" {
		t.Errorf("a filter that fits nothing shows %s", a.Find("main").Text())
	}
	if a := c.Get("/admin/inbox?before=x"); a.Status != 422 {
		t.Errorf("an address that cannot be read gives %d", a.Status)
	}
	c.Post("/admin/sms-settings", webtest.SMSSettings("http://127.0.0.1:9/"))
	if a := c.Get("/admin/inbox"); !strings.Contains(a.Find("main").Text(), "A provider sends SMS now") {
		t.Error("the inbox does not say that SMS go elsewhere")
	}
}

// What a test came to is headed by what happened, with what to do about it.
func TestTrialsSayWhatHappened(t *testing.T) {
	t.Parallel()
	status := 200
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(provider.Close)
	secured := httptest.NewTLSServer(nil)
	t.Cleanup(secured.Close)
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	host := func(address string) string { return address[strings.Index(address, "://")+3:] }
	for _, tt := range []struct {
		address       string
		status        int
		title, remedy string
		tone          string
	}{
		{provider.URL, 202, "Accepted by " + host(provider.URL), "", "good"},
		{provider.URL, 503, host(provider.URL) + " cannot take messages now", "tried again until it expires", "warn"},
		{provider.URL, 401, "Refused by " + host(provider.URL), "Check the API key", "bad"},
		{provider.URL, 302, "Refused by " + host(provider.URL), "Check the URL", "bad"},
		{provider.URL, 422, "Refused by " + host(provider.URL), "would not be tried again", "bad"},
		{secured.URL, 0, "No secure connection to " + host(secured.URL), "certificate was not accepted", "bad"},
		{"https" + strings.TrimPrefix(provider.URL, "http"), 200, "No secure connection to " + host(provider.URL), "TLS could not be negotiated", "bad"},
		{"http://127.0.0.1:9/", 0, "No connection to 127.0.0.1:9", "Check host and port", "bad"},
	} {
		status = tt.status
		c.Get("/admin/sms-settings")
		if a := c.Post("/admin/sms-settings", webtest.SMSSettings(tt.address)); a.Status != 303 {
			t.Fatalf("saving %s gives %d: %s", tt.address, a.Status, a.Find(".error").Text())
		}
		c.Get("/admin/sms-settings")
		alert := tried(t, c, "/admin/sms-settings/test", "+919812345678").Find("#test .alert")
		answered := strings.Contains(alert.Text(), "Answer of the provider:")
		if got := alert.Find(".alert-title").Text(); got != tt.title || !strings.Contains(alert.Text(), tt.remedy) || !alert.HasClass(tt.tone) || answered != (tt.address == provider.URL) {
			t.Errorf("%s with %d gives %q, want %q with %q: %s", tt.address, tt.status, got, tt.title, tt.remedy, alert.Text())
		}
	}
}

// Each message is recorded once for each person who reads it; looking again,
// and looking at nothing, says nothing new.
func TestReadingTheInboxIsRecordedOnce(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	first := site.SignInAdmin(t, identity.SuperAdmin)
	second := site.Client(t)
	identitytest.AddAdmin(t, site.DB, "Mira", "mira@example.com", identity.SuperAdmin)
	second.Get("/admin/login")
	second.Post("/admin/login", url.Values{"email": {"mira@example.com"}, "password": {webtest.Password}})
	entries := func() (list []string) {
		rows, err := site.DB.Query(t.Context(), `
			select email || ' ' || regexp_replace(details->>'messages', ', [0-9T:Z-]+"', '"', 'g')
			from audit_entries join admin_users u on actor = 'admin:' || u.id where action = 'inbox.read' order by seq`)
		if err != nil {
			t.Fatal(err)
		}
		if list, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			t.Fatal(err)
		}
		return list
	}
	first.Get("/admin/inbox")
	if got := entries(); len(got) != 0 {
		t.Errorf("reading nothing is recorded: %v", got)
	}
	tried(t, first, "/admin/sms-settings/test", "+919812345678")
	for range 3 {
		first.Get("/admin/inbox")
		first.Get("/admin/inbox?kind=sms")
	}
	tried(t, first, "/admin/email-settings/test", "asha@example.com")
	first.Get("/admin/inbox")
	second.Get("/admin/inbox?kind=email")
	second.Get("/admin/inbox?kind=email")
	webtest.Exec(t, site, `update notifications set body = null where kind = 'sms'`)
	second.Get("/admin/inbox")
	want := []string{`super_admin@example.com ["sms to +919812345678, test"]`, `super_admin@example.com ["email to asha@example.com, test"]`, `mira@example.com ["email to asha@example.com, test"]`}
	if diff := cmp.Diff(want, entries()); diff != "" {
		t.Errorf("the audit (-want +got):\n%s", diff)
	}
}

// Links of this site can be followed from the text of an email. Its HTML is shown in
// a frame of its own, which may do nothing but open links.
func TestInboxLinks(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	message := emails.WebhookDisabled("https://example.com/x", "<script>alert(1)</script>", "http://localhost:8080/admin/reset?t=1")
	err := db.InTx(t.Context(), site.DB, func(tx pgx.Tx) error {
		return site.Notifications.SendEmail(t.Context(), tx, notification.Email{To: "asha@example.com", Message: message, Purpose: "reset", ExpiresAt: time.Now().Add(time.Hour)})
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.DB.Exec(t.Context(), `update notifications set state = 'sent', virtual = true, finished_at = now()`); err != nil {
		t.Fatal(err)
	}
	inbox := c.Get("/admin/inbox")
	letter := inbox.Find(".message-text")
	if letter.Text() != message.Text() || letter.Find("a").Length() != 1 || letter.Find("a").AttrOr("href", "") != "http://localhost:8080/admin/reset?t=1" {
		html, _ := letter.Html()
		t.Errorf("the email is %s", html)
	}
	frame := inbox.Find("iframe")
	if frame.AttrOr("sandbox", "-") != "allow-popups allow-popups-to-escape-sandbox" || frame.AttrOr("title", "") == "" {
		t.Fatalf("the frame is %v", frame.Nodes)
	}
	source := frame.AttrOr("src", "")
	html := c.Get(source)
	if html.Status != 200 || html.Find("h1").Text() != message.Subject || html.Find("script").Length() != 0 || html.Find("a[href='http://localhost:8080/admin/reset?t=1']").Length() != 2 {
		t.Errorf("the HTML is %d %s", html.Status, html.Body)
	}
	if p := html.Header.Get("Content-Security-Policy"); !strings.Contains(p, "sandbox allow-popups") || !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "script-src") {
		t.Errorf("the policy of the HTML is %s", p)
	}
	if a := site.SignInAdmin(t, identity.Editor).Get(source); a.Status != 403 {
		t.Errorf("an Editor gets %d", a.Status)
	}
	if _, err := site.DB.Exec(t.Context(), `update notifications set virtual = false`); err != nil {
		t.Fatal(err)
	}
	if a := c.Get(source); a.Status != 404 {
		t.Errorf("an email that a provider sent gives %d", a.Status)
	}
}
