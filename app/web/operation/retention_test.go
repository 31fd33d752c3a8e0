package operation_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

func TestRetentionIsSaved(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, `insert into organisations (id, name, status) overriding system value values (77, 'Harbour', 'active')`)
	if a := c.Get("/admin/retention"); a.Find("#field-bodies").AttrOr("value", "") != "30" || a.Find("#field-logs").AttrOr("value", "") != "90" {
		t.Errorf("the page shows other times than 30 and 90 days")
	}
	form := func(organisation, bodies, logs string) url.Values {
		return url.Values{"organisation": {organisation}, "bodies": {bodies}, "logs": {logs}}
	}
	for _, tt := range []struct {
		form  url.Values
		field string
	}{
		{form("", "100", "90"), "bodies"}, {form("", "x", "90"), "bodies"}, {form("", "1", "2"), "logs"},
		{form("a", "1", "3"), "organisation"}, {form("78", "1", "3"), "organisation"},
	} {
		a := c.HX(ui.Form.Of("times")).Post("/admin/retention", tt.form)
		if a.Status != 422 || a.Find("#field-"+tt.field+"-error").Length() != 1 || a.Find("#field-logs").AttrOr("value", "") != tt.form.Get("logs") {
			t.Errorf("%v gives %d", tt.form, a.Status)
		}
	}
	for _, good := range []url.Values{form("", "10", "20"), form("77", "7", "400")} {
		if a := c.Post("/admin/retention", good); a.Status != 303 || c.Follow(a).Find(".done").Length() != 1 {
			t.Errorf("%v gives %d", good, a.Status)
		}
	}
	a := c.Get("/admin/retention")
	if a.Find("#field-bodies").AttrOr("value", "") != "10" || strings.Join(webtest.Column(a, "Organisation"), "") != "Harbour" || strings.Join(webtest.Column(a, "Logs (days)"), "") != "400" {
		t.Errorf("the page shows %s", a.Find("main").Text())
	}
}

func TestErasingARecipientAsksFirst(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, `insert into organisations (id, name, status) overriding system value values (77, 'Harbour', 'active')`,
		`insert into messages (id, organisation_id, channel, sender, sender_id, recipient, kind, payload, reference, state)
		values (gen_random_uuid(), 77, 'sms', 'ABC', 0, '919812345678', 'text', '{"msg":"secret"}', '', 'delivered'),
			(gen_random_uuid(), 77, 'sms', 'ABC', 0, '919812345679', 'text', '{"msg":"secret"}', '', 'delivered')`)
	left := func() (n int) {
		t.Helper()
		if err := site.DB.QueryRow(t.Context(), `select count(*) from messages where payload::text <> '{}'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	form := url.Values{"recipient": {"+91 98123 45678"}, "within": {""}, "reason": {""}}
	if a := c.Post("/admin/retention/erasure", form); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "cannot be undone") || left() != 2 {
		t.Errorf("the first time gives %d, and %d contents are left", a.Status, left())
	}
	form.Set("confirmed", "true")
	if a := c.Post("/admin/retention/erasure", form); a.Status != 422 || a.Find("#field-reason-error").Length() != 1 || left() != 2 {
		t.Errorf("without a reason: %d, and %d contents are left", a.Status, left())
	}
	form.Set("reason", "They asked for it.")
	if a := c.Post("/admin/retention/erasure", form); a.Status != 303 || left() != 1 || !strings.Contains(c.Follow(a).Find(".done").Text(), "1 sent and 0 received") {
		t.Errorf("confirmed: %d, and %d contents are left", a.Status, left())
	}
	if a := c.Get("/admin/audit"); !strings.Contains(a.Find("main").Text(), "They asked for it.") || strings.Contains(a.Find("main").Text(), "919812345678") {
		t.Error("the audit lacks the reason, or has the number")
	}
	for field, value := range map[string]string{"recipient": "12", "within": "x"} {
		wrong := url.Values{"recipient": {"+919812345678"}, "reason": {"x"}, field: {value}}
		if a := c.Post("/admin/retention/erasure", wrong); a.Status != 422 || a.Find("#field-"+field+"-error").Length() != 1 {
			t.Errorf("%s = %s gives %d", field, value, a.Status)
		}
	}
}
