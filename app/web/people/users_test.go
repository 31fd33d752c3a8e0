package people_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

func TestUsersAreListed(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.UserRow, `insert into admin_users (name, email, password_hash, role, active, password_set_at) values ('Mira', 'mira@example.com', 'x', 'editor', true, null), ('Noor', 'noor@example.com', 'x', 'editor', false, now())`)
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
		if diff := cmp.Diff(want, webtest.Column(a, "Email")); a.Status != 200 || diff != "" || strings.Contains(a.Body, "<b>Ravi") {
			t.Errorf("%s gives %d (-want +got):\n%s", query, a.Status, diff)
		}
	}
}

func TestUsersArePaged(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, `insert into admin_users (name, email, password_hash, role) select 'Reader ' || n, 'reader-' || lpad(n::text, 4, '0') || '@example.com', 'x', 'viewer' from generate_series(1, 1203) n`)
	var seen []string
	pages := 0
	for next := "/admin/users?role=viewer&q=reader"; next != ""; pages++ {
		a := c.Get(next)
		seen = append(seen, webtest.Column(a, "Email")...)
		next = a.Find("a[rel=next]").AttrOr("href", "")
		if first := a.Find(".paging a:contains('First page')").AttrOr("href", ""); (first == "/admin/users?q=reader&role=viewer") != (pages > 0) {
			t.Fatalf("page %d leads to %q first", pages, first)
		}
	}
	if len(seen) != 1203 || pages != 25 || !slices.IsSorted(seen) || len(slices.Compact(seen)) != 1203 {
		t.Errorf("%d pages show %d administrators", pages, len(seen))
	}
}

// An Editor without products is allowed, and said wherever one is met.
func TestEditorsWithoutProductsAreSeen(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.ProductRow)
	if hint := c.Get("/admin/users/invite").Find("fieldset .hint").Text(); !strings.Contains(hint, "only reads") {
		t.Errorf("the form says %q", hint)
	}
	a := c.Post("/admin/users/invite", url.Values{"name": {"Mira"}, "email": {"mira@example.com"}, "role": {"editor"}})
	made := c.Get(a.Header.Get("Location"))
	if a.Status != 303 || !strings.Contains(made.Find(".alert.warn").Text(), "no products") {
		t.Fatalf("inviting gives %d and %s", a.Status, made.Find("main").Text())
	}
	writes := func() []string { return webtest.Column(c.Get("/admin/users?role=editor"), "Writes") }
	if diff := cmp.Diff([]string{"No products"}, writes()); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	a = c.Post(strings.TrimSuffix(a.Header.Get("Location"), "?done=invited")+"/products", url.Values{"product": {"1000002"}})
	if shown := c.Get(a.Header.Get("Location")); shown.Find(".alert.warn").Length() != 0 {
		t.Errorf("with a product: %s", shown.Find(".alert").Text())
	}
	if diff := cmp.Diff([]string{"voice-x"}, writes()); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
}

func TestSessionsOfAdministrators(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	boss, viewer := site.SignInAdmin(t, identity.SuperAdmin), site.SignInAdmin(t, identity.Viewer)
	webtest.Exec(t, site, webtest.SessionRow)
	browsers := func(a *webtest.Answer) []string { return webtest.Column(a, "Browser") }
	own := boss.Get("/admin/change-password")
	if got := browsers(own); len(got) != 2 || !slices.Contains(got, "Firefox on Linux") || own.Find("td.mark .badge").Text() != "This one" {
		t.Fatalf("one's own sessions are %v", got)
	}
	if a := viewer.Post("/admin/sessions/"+webtest.OtherSession+"/end", nil); a.Status != 404 {
		t.Errorf("ending somebody else's session gives %d", a.Status)
	}
	a := boss.Post("/admin/sessions/"+webtest.OtherSession+"/end", nil)
	if a.Status != 303 || len(browsers(boss.Get(a.Header.Get("Location")))) != 1 {
		t.Errorf("ending one gives %d", a.Status)
	}
	if a := boss.Post("/admin/sessions/"+webtest.OtherSession+"/end", nil); a.Status != 404 {
		t.Errorf("ending it again gives %d", a.Status)
	}
	path := fmt.Sprintf("/admin/users/%d", webtest.OwnID(t, site)+1)
	if got := browsers(boss.Get(path)); len(got) != 2 {
		t.Errorf("the Viewer is signed in at %v", got)
	}
	a = boss.Post(path+"/sessions/end", nil)
	if shown := boss.Get(a.Header.Get("Location")); a.Status != 303 || !strings.Contains(shown.Find("main").Text(), "Not signed in anywhere") {
		t.Errorf("ending them gives %d: %s", a.Status, shown.Find("main").Text())
	}
	if a := viewer.Get("/admin"); a.Status != 303 {
		t.Errorf("the Viewer still gets %d", a.Status)
	}
	if a := boss.Post(fmt.Sprintf("/admin/users/%d/sessions/end", webtest.OwnID(t, site)), nil); a.Status != 409 || boss.Get("/admin").Status != 200 {
		t.Errorf("ending one's own from there gives %d", a.Status)
	}
}

// A refused user sees which roles may open the page and which role they have,
// with a link to the overview.
func TestRefusalsNameTheRole(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	viewer, editor := site.SignInAdmin(t, identity.Viewer), site.SignInAdmin(t, identity.Editor)
	for _, tt := range []struct {
		c                   *webtest.Client
		path, heading, says string
	}{
		{viewer, "/admin/users", "This is for Super Admins", "Your role is Viewer."},
		{editor, "/admin/jobs", "This is for Super Admins", "Your role is Editor."},
		{viewer, "/admin/synonyms", "This is for Editors and Super Admins", "Your role is Viewer."},
	} {
		a := tt.c.Get(tt.path)
		if a.Status != 403 || a.Find("h1").Text() != tt.heading || !strings.Contains(a.Find("main").Text(), tt.says) || a.Find("main a[href='/admin']").Length() != 1 {
			t.Errorf("%s gives %d: %s", tt.path, a.Status, a.Find("main").Text())
		}
		if a.Find("header a[href='/admin']").Length() != 1 {
			t.Errorf("%s: the header does not know who is signed in", tt.path)
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
		t.Errorf("%d emails (%v)", sent, err)
	}
}

func TestUsersAreChanged(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.UserRow, webtest.ProductRow)
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
	if a := c.Post(path+"/link", nil); a.Status != 409 || a.Find(".alert.bad").Length() != 1 {
		t.Errorf("a link for an inactive account gives %d", a.Status)
	}
	if a := step("/activation", url.Values{"active": {"true"}}); fact(a, "State") != "Active" {
		t.Errorf("the state is %s", fact(a, "State"))
	}
	webtest.Exec(t, site, `insert into revisions (item_id, number, content, content_hash, author_id) values (1000002, 1, '{}', sha256('x'), 1000001)`)
	if a := c.Post(path+"/deletion", nil); a.Status != 409 || !strings.Contains(a.Find(".alert").Text(), "wrote documentation") {
		t.Errorf("deleting an author gives %d", a.Status)
	}
	webtest.Exec(t, site, `delete from revisions where author_id = 1000001`)
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
	path := fmt.Sprintf("/admin/users/%d", webtest.OwnID(t, site))
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
