package admin_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/identity"
	"heliograph/app/web/webtest"
)

const (
	userRow = `insert into admin_users (id, name, email, password_hash, role) overriding system value
		select 1000001, '<b>Ravi</b>', 'ravi@example.com', min(password_hash), 'viewer' from admin_users`
	productRow = `insert into items (id, kind, slug) overriding system value values (1000002, 'product', 'voice-x')`
)

// ownID is the id of the one administrator there is.
func ownID(t *testing.T, site *webtest.Site) (id int64) {
	t.Helper()
	if err := site.DB.QueryRow(t.Context(), `select min(id) from admin_users`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestUsersAreListed(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	exec(t, site, userRow, `insert into admin_users (name, email, password_hash, role, active, password_set_at) values ('Mira', 'mira@example.com', 'x', 'editor', true, null), ('Noor', 'noor@example.com', 'x', 'editor', false, now())`)
	for query, want := range map[string][]string{
		"":                   {"mira@example.com", "noor@example.com", "ravi@example.com", "super_admin@example.com"},
		"?q=RAVI":            {"ravi@example.com"},
		"?q=%25":             {},
		"?role=editor":       {"mira@example.com", "noor@example.com"},
		"?state=invited":     {"mira@example.com"},
		"?state=inactive":    {"noor@example.com"},
		"?state=active&q=as": {"super_admin@example.com"},
	} {
		a := c.Get("/admin/users" + query)
		if diff := cmp.Diff(want, column(a, "Email")); a.Status != 200 || diff != "" || strings.Contains(a.Body, "<b>Ravi") {
			t.Errorf("%s gives %d (-want +got):\n%s", query, a.Status, diff)
		}
	}
}

func TestInviteShowsWhatIsWrong(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	if a := c.Get("/admin/users/invite"); a.Status != 200 || a.Find("form[action='/admin/users/invite']").Length() != 1 {
		t.Fatalf("the form is not shown: %d", a.Status)
	}
	a := c.Post("/admin/users/invite", url.Values{"name": {"Mira"}, "email": {"super_admin@example.com"}, "role": {"editor"}})
	if value := a.Find("input[name=name]").AttrOr("value", ""); a.Status != 422 || value != "Mira" || a.Find("#field-email-error").Length() != 1 || a.Find("option[selected]").AttrOr("value", "") != "editor" {
		t.Errorf("a taken address gives %d: %s", a.Status, a.Find("main").Text())
	}
	a = c.Post("/admin/users/invite", url.Values{"name": {"Mira"}, "email": {"mira@example.com"}, "role": {"viewer"}})
	shown := c.Get(a.Header.Get("Location"))
	if a.Status != 303 || shown.Find(".done").Text() != "The invitation is on its way." || shown.Find("dt:contains('State') + dd").Text() != "Invited" {
		t.Errorf("inviting gives %d and %s", a.Status, shown.Find("main").Text())
	}
	var sent int
	if err := site.DB.QueryRow(t.Context(), `select count(*) from notifications where recipient = 'mira@example.com' and purpose = 'admin_invitation'`).Scan(&sent); err != nil || sent != 1 {
		t.Errorf("%d letters (%v)", sent, err)
	}
}

func TestUsersAreChanged(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	exec(t, site, userRow, productRow)
	fact := func(a *webtest.Answer, key string) string { return a.Find("dt:contains('" + key + "') + dd").Text() }
	const path = "/admin/users/1000001"
	step := func(action string, form url.Values) *webtest.Answer {
		t.Helper()
		a := c.Post(path+action, form)
		if a.Status != 303 {
			t.Fatalf("%s gives %d: %s", action, a.Status, a.Find("main").Text())
		}
		return c.Get(a.Header.Get("Location"))
	}
	if a := step("/role", url.Values{"role": {"editor"}}); fact(a, "Role") != "Editor" || a.Find(".done").Length() != 1 {
		t.Errorf("the role is %s", fact(a, "Role"))
	}
	if a := step("/products", url.Values{"product": {"1000002"}}); a.Find("input[type=checkbox][checked]").Length() != 1 {
		t.Error("the product is not assigned")
	}
	if a := step("/products", nil); a.Find("input[type=checkbox][checked]").Length() != 0 {
		t.Error("the product is still assigned")
	}
	if a := step("/activation", url.Values{"active": {"false"}}); fact(a, "State") != "Inactive" {
		t.Errorf("the state is %s", fact(a, "State"))
	}
	if a := c.Post(path+"/link", nil); a.Status != 409 || a.Find(".alert").Length() != 1 {
		t.Errorf("a link for an inactive account gives %d", a.Status)
	}
	if a := step("/activation", url.Values{"active": {"true"}}); fact(a, "State") != "Active" {
		t.Errorf("the state is %s", fact(a, "State"))
	}
	exec(t, site, `insert into revisions (item_id, number, content, content_hash, author_id) values (1000002, 1, '{}', sha256('x'), 1000001)`)
	if a := c.Post(path+"/deletion", nil); a.Status != 409 || !strings.Contains(a.Find(".alert").Text(), "wrote documentation") {
		t.Errorf("deleting an author gives %d", a.Status)
	}
	exec(t, site, `delete from revisions where author_id = 1000001`)
	if a := step("/deletion", nil); a.Find("h1").Text() != "Users" || a.Find(".done").Length() != 1 {
		t.Errorf("deleting leads to %s", a.Find("h1").Text())
	}
	for path, want := range map[string]int{path: 404, "/admin/users/x": 404, "/admin/users/0": 404} {
		if a := c.Get(path); a.Status != want {
			t.Errorf("%s gives %d, want %d", path, a.Status, want)
		}
	}
	for _, action := range []string{"/role", "/activation", "/products", "/link", "/deletion"} {
		if a := c.Post("/admin/users/1000001"+action, url.Values{"role": {"editor"}}); a.Status != 404 {
			t.Errorf("%s of nobody gives %d", action, a.Status)
		}
	}
}

func TestNobodyChangesTheirOwnAccount(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	path := fmt.Sprintf("/admin/users/%d", ownID(t, site))
	if a := c.Get(path); a.Status != 200 || a.Find("main form").Length() != 0 {
		t.Errorf("one's own page gives %d with %d forms", a.Status, a.Find("main form").Length())
	}
	for action, form := range map[string]url.Values{"/role": {"role": {"viewer"}}, "/activation": {"active": {"false"}}, "/deletion": nil} {
		if a := c.Post(path+action, form); a.Status != 409 || !strings.Contains(a.Find(".alert").Text(), "your own account") {
			t.Errorf("%s of oneself gives %d", action, a.Status)
		}
	}
	if a := c.Get("/admin/users"); a.Status != 200 {
		t.Errorf("the account was changed: %d", a.Status)
	}
}
