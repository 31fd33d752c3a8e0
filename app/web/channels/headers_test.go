package channels_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
)

// The desk lists what waits, names both users of a contested header and stores a
// decision, with htmx and without. Owners get an email, and the audit an entry.
func TestHeaderDesk(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := site.DB.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	text := func(sql string, args ...any) (s string) {
		t.Helper()
		if err := site.DB.QueryRow(t.Context(), sql, args...).Scan(&s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	var ids [2]string
	for i, name := range []string{"Harbour", "Mill"} {
		id := identitytest.AddOrganisation(t, site.DB, models.Organisation{Name: name}, strings.ToLower(name)+"@example.com")
		exec(`insert into sms_accounts (organisation_id) values ($1)`, id)
		ids[i] = text(`insert into sms_headers (organisation_id, header, kind, state) values ($1, 'SHOPCO', 'transactional', 'contested') returning id::text`, id)
		exec(`insert into sms_headers (organisation_id, header, kind) values ($1, $2, 'international')`, id, name+" Ltd")
	}
	boss, reader := site.SignInAdmin(t, identity.SuperAdmin), site.SignInAdmin(t, identity.Viewer)
	if home := boss.Get("/admin").Find("main").Text(); !strings.Contains(home, "Harbour and Mill use the SMS header SHOPCO") || !strings.Contains(home, "2 SMS headers wait for a decision") {
		t.Errorf("the overview does not name the headers to decide: %s", home)
	}
	list := boss.Get("/admin/sms-headers")
	if rows := list.Find("section[aria-labelledby=waiting] tbody tr").Length(); list.Status != 200 || rows != 4 {
		t.Errorf("%d headers wait, want 4: %d", rows, list.Status)
	}
	path := "/admin/sms-headers/" + ids[0]
	if a := reader.Get(path); a.Status != 200 || a.Find("main form").Length() != 0 || !strings.Contains(a.Find("main").Text(), "Mill") {
		t.Errorf("a viewer sees %d with %d forms", a.Status, a.Find("main form").Length())
	}
	if a := reader.Post(path, url.Values{"decision": {"grant"}}); a.Status != 403 {
		t.Errorf("a viewer decides: %d", a.Status)
	}
	for _, f := range []url.Values{{"decision": {"decline"}, "reason": {" "}}, {"decision": {"decline"}, "reason": {strings.Repeat("x", 501)}}, {"decision": {""}}, {}} {
		if a := boss.Post(path, f); a.Status != 422 || a.Find("[aria-invalid=true]").Length() == 0 {
			t.Errorf("%.60v gives %d", f, a.Status)
		}
	}
	if a := boss.Post(path, url.Values{"decision": {"grant"}}); a.Status != 303 {
		t.Errorf("granting gives %d %s", a.Status, a.Find("main").Text())
	}
	if got := text(`select string_agg(state, ' ' order by id) from sms_headers where header = 'SHOPCO'`); got != "granted declined" {
		t.Errorf("the headers are %s", got)
	}
	if got := text(`select string_agg(recipient, ' ' order by recipient) from notifications where purpose = 'sms_header'`); got != "harbour@example.com mill@example.com" {
		t.Errorf("emails go to %s", got)
	}
	if got := text(`select string_agg(action, ' ' order by seq) from audit_entries where action like 'sms_header.%'`); got != "sms_header.decline sms_header.grant" {
		t.Errorf("the audit has %s", got)
	}
	if a := boss.Post(fmt.Sprintf("/admin/sms-headers/%s", ids[1]), url.Values{"decision": {"grant"}}); a.Status != 409 || !strings.Contains(a.Find("form").Text(), "belongs to Harbour") {
		t.Errorf("granting it twice gives %d %s", a.Status, a.Find("form").Text())
	}
	for _, odd := range []string{"/admin/sms-headers/0", "/admin/sms-headers/x", "/admin/sms-headers/99999"} {
		if a := boss.Get(odd); a.Status != 404 {
			t.Errorf("%s gives %d", odd, a.Status)
		}
	}
}
