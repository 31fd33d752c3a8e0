package people_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

func TestOrganisationsAreListed(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Viewer)
	if a := c.Get("/admin/organisations"); a.Status != 200 || a.Find(".empty").Length() != 1 {
		t.Errorf("without organisations: %d", a.Status)
	}
	webtest.Exec(t, site, webtest.OrganisationRow,
		`insert into organisations (id, name) overriding system value values (1000002, 'Ferry')`,
		`insert into organisations (id, name, status, verified_at) overriding system value values (1000003, 'Harbour', 'suspended', now())`,
		`insert into organisation_users (organisation_id, email, password_hash, role, last_sign_in_at) values (1000001, 'mira@example.com', 'x', 'owner', now() - interval '2 days'), (1000003, 'noor@example.com', 'x', 'owner', now() - interval '80 days')`)
	for query, want := range map[string][]string{
		"":                       {"Harbour", "Ferry", "<b>Lighthouse</b> 50% sandbox"},
		"?q=HARB":                {"Harbour"},
		"?q=50%25":               {"<b>Lighthouse</b> 50% sandbox"},
		"?q=_":                   {},
		"?q=1000002":             {"Ferry"},
		"?q=Noor@example.com":    {"Harbour"},
		"?status=suspended":      {"Harbour"},
		"?verified=no":           {"Ferry"},
		"?activity=recent":       {"<b>Lighthouse</b> 50% sandbox"},
		"?activity=idle":         {"Harbour", "Ferry"},
		"?before=1000002":        {"<b>Lighthouse</b> 50% sandbox"},
		"?status=none":           {},
		"?status=active&q=ferry": {},
	} {
		a := c.Get("/admin/organisations" + query)
		if diff := cmp.Diff(want, webtest.Column(a, "Organisation")); a.Status != 200 || diff != "" {
			t.Errorf("%s gives %d (-want +got):\n%s", query, a.Status, diff)
		}
	}
	if a := c.Get("/admin/organisations?before=x"); a.Status != 422 {
		t.Errorf("nonsense gives %d", a.Status)
	}
	for i := range 60 {
		webtest.Exec(t, site, fmt.Sprintf(`insert into organisations (name) values ('Boat %d')`, i))
	}
	first := c.Get("/admin/organisations?q=boat")
	second := c.Get(first.Find("a[rel=next]").AttrOr("href", ""))
	if n, m := len(webtest.Column(first, "Organisation")), len(webtest.Column(second, "Organisation")); n != 50 || m != 10 {
		t.Errorf("the pages hold %d and %d", n, m)
	}
}

// A Super Admin adds an organisation that sends for real. Its owner sets a password by the
// link of an email, and signs in.
func TestOrganisationIsAdded(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	boss := site.SignInAdmin(t, identity.SuperAdmin)
	if a := site.SignInAdmin(t, identity.Viewer).Get("/admin/organisations"); a.Find(`a[href="/admin/organisations/new"]`).Length() != 0 {
		t.Error("a Viewer is offered what a Super Admin may")
	}
	a := boss.Get(boss.Get("/admin/organisations").Find(`a[href="/admin/organisations/new"]`).AttrOr("href", "/missing"))
	if a.Status != 200 || a.Find("form [name=owner][required]").Length() != 1 {
		t.Fatalf("the form gives %d", a.Status)
	}
	wrong := url.Values{"name": {""}, "owner": {""}, "email": {"mira"}, "mobile": {"98"}}
	if a := boss.Post("/admin/organisations/new", wrong); a.Status != 422 || a.Find(".field .error, [id$=-error]").Length() < 4 || a.Find("[name=email]").AttrOr("value", "") != "mira" {
		t.Errorf("four wrong fields give %d: %s", a.Status, a.Find("main").Text())
	}
	right := url.Values{"name": {"Harbour lamps"}, "owner": {"Mira Rao"}, "email": {"Mira@Example.com"}, "mobile": {"+91 9812345678"}}
	a = boss.Post("/admin/organisations/new", right)
	shown := boss.Get(a.Header.Get("Location"))
	if a.Status != 303 || !strings.Contains(shown.Find("main").Text(), "Live") || webtest.Column(shown, "Role")[0] != "Owner" {
		t.Fatalf("the organisation gives %d: %s", a.Status, shown.Find("main").Text())
	}
	if a := boss.Post("/admin/organisations/new", right); a.Status != 422 || !strings.Contains(a.Find("#field-email-error").Text(), "already exists") {
		t.Errorf("the same owner again gives %d: %s", a.Status, a.Find("main").Text())
	}
	link := site.PasswordLink(t)
	owner := site.Client(t)
	owner.Get(link)
	const password = "a harbour full of lamps"
	token := strings.TrimPrefix(link, "/reset-password?token=")
	if a := owner.Post("/reset-password", url.Values{"token": {token}, "password": {password}, "confirmation": {password}}); a.Status != 303 {
		t.Fatalf("setting a password gives %d: %s", a.Status, a.Find("main").Text())
	}
	owner.Get("/login")
	if a := owner.Post("/login", url.Values{"email": {"mira@example.com"}, "password": {password}}); a.Status != 303 {
		t.Errorf("signing in gives %d: %s", a.Status, a.Find("main").Text())
	}
}

func TestOrganisationIsShown(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	viewer, boss := site.SignInAdmin(t, identity.Viewer), site.SignInAdmin(t, identity.SuperAdmin)
	member, id := site.SignIn(t, 0, identity.Owner)
	if _, err := site.Directory.CreateKey(t.Context(), id, identity.KeyRequest{Name: "Server", Channels: []string{"sms"}}, "system"); err != nil {
		t.Fatal(err)
	}
	webtest.Exec(t, site, fmt.Sprintf(`insert into usage_days (organisation_id, day, channel, messages, delivered, failed) values (%d, (now() at time zone 'UTC')::date - 1, 'sms', 1204, 1200, 4)`, id))
	path := fmt.Sprintf("/admin/organisations/%d", id)
	a := viewer.Get(path)
	if a.Status != 200 || a.Find("main form").Length() != 0 || webtest.Column(a, "Messages")[0] != "1,204" || len(webtest.Column(a, "Begins with")[0]) != 12 || len(webtest.Column(a, "Role")) != 2 {
		t.Errorf("a Viewer gets %d: %s", a.Status, a.Find("main").Text())
	}
	if a := viewer.Post(path+"/activation", url.Values{"active": {"false"}, "reason": {"unpaid"}}); a.Status != 403 {
		t.Errorf("a Viewer who deactivates gets %d", a.Status)
	}
	boss.Get(path)
	if a := boss.Post(path+"/activation", url.Values{"active": {"false"}}); a.Status != 422 || a.Find("#field-reason-error").Length() != 1 {
		t.Errorf("without a reason: %d", a.Status)
	}
	if a := member.Get("/account"); a.Status != 200 {
		t.Fatalf("the member gets %d", a.Status)
	}
	a = boss.Post(path+"/activation", url.Values{"active": {"false"}, "reason": {"unpaid"}})
	if shown := boss.Get(a.Header.Get("Location")); a.Status != 303 || !strings.Contains(shown.Find(".done").Text(), "deactivated") {
		t.Errorf("deactivating gives %d", a.Status)
	}
	if a := member.Get("/account"); a.Status != 303 {
		t.Errorf("then the member gets %d", a.Status)
	}
	if a := boss.Post(path+"/activation", url.Values{"active": {"false"}, "reason": {"again"}}); a.Status != 409 || a.Find(".alert").Length() != 1 {
		t.Errorf("deactivating twice gives %d", a.Status)
	}
	for path, want := range map[string]int{"/admin/organisations/1099511627776": 404, "/admin/organisations/x": 404} {
		if a := boss.Get(path); a.Status != want {
			t.Errorf("%s gives %d", path, a.Status)
		}
		if a := boss.Post(path+"/activation", url.Values{"active": {"true"}, "reason": {"paid"}}); a.Status != want {
			t.Errorf("activating %s gives %d", path, a.Status)
		}
	}
}
