package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// The region that htmx asks for is all that an answer has, and it says to screen
// readers how many rows there are. A page without the region answers with its
// main part.
func TestListsAnswerTheirRegion(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	exec(t, site, jobRows, queueRows, userRow, synonymRow)
	for path, announced := range map[string]string{
		"/admin/users?q=ravi": "1 user", "/admin/audit": "2 entries", "/admin/jobs": "2 jobs",
		"/admin/synonyms?q=beacon": "1 synonym", "/admin/organisations?q=none": "No organisation found", "/admin/inbox": "No messages",
	} {
		open, _, _ := strings.Cut(path, "?")
		a := c.HX(ui.List).On(open).Get(path)
		if a.Status != 200 || a.Find("#list").Length() != 1 || a.Find("form.filter, h1, header, #sections").Length() != 0 {
			t.Errorf("%s answers with %d and more than its list", path, a.Status)
		}
		if got := a.Find("#live").Text(); got != announced {
			t.Errorf("%s announces %q, want %q", path, got, announced)
		}
		if a := c.HX(ui.List).On(open).With("X-Live", "true").Get(path); a.Find("#live").Length() != 0 {
			t.Errorf("%s announces what no person asked for", path)
		}
		if a := c.HX(ui.Filtered).On(open).Get(path); a.Find("#filtered form.filter").Length() != 1 || a.Find("#filtered #list").Length() != 1 {
			t.Errorf("%s has no filter in its region", path)
		}
		if a := c.HX(ui.Form).On(open).Get(path); a.Find("main#main h1").Length() != 1 || a.Find("title").Length() != 1 || a.Header.Get("HX-Retarget") != "#main" {
			t.Errorf("%s does not answer another region with its main part", path)
		}
	}
}

// Column heads turn the order of a list around, and pages and filter keep it.
func TestListsAreSorted(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	exec(t, site, `insert into admin_users (name, email, password_hash, role) select 'Reader', 'r' || lpad(n::text, 3, '0') || '@example.com', 'x', 'viewer' from generate_series(1, 60) n`,
		`insert into organisations (name) select 'Harbour ' || n from generate_series(1, 3) n`, jobRows, queueRows)
	for path, label := range map[string]string{"/admin/organisations": "Organisation", "/admin/users?role=viewer": "Email", "/admin/jobs": "Job", "/admin/audit": "When (UTC)"} {
		first := c.Get(path)
		head := first.Find("th[aria-sort] a")
		turned := c.HX(ui.Filtered).Get(head.AttrOr("href", ""))
		was, is := first.Find("th[aria-sort]").AttrOr("aria-sort", ""), turned.Find("th[aria-sort]").AttrOr("aria-sort", "")
		if was == is || turned.Find("form.filter select[name=order] option[selected]").AttrOr("value", "") == "" {
			t.Errorf("%s is %s and then %s", path, was, is)
		}
		rows, other := column(first, label), column(turned, label)
		if len(rows) == 0 || len(rows) > 1 && path != "/admin/audit" && rows[0] == other[0] {
			t.Errorf("%s begins with %v both ways", path, rows[:1])
		}
	}
	// The rest of a list is appended in the same order, without a page around it.
	a := c.Get("/admin/users?role=viewer&order=desc")
	rest := c.HX(ui.More).On("/admin/users").Get(a.Find("#more a[rel=next]").AttrOr("href", ""))
	if !strings.HasPrefix(rest.Body, "<tbody><tr autofocus") || strings.Count(rest.Body, `data-label="Email"`) != 10 || !strings.Contains(rest.Body, "r010@example.com") || strings.Contains(rest.Body, "<table") || strings.Contains(rest.Body, `id="more"`) {
		t.Errorf("the rest is %s", rest.Body)
	}
	if rest.Find("#live").Text() != "10 users on this page" {
		t.Errorf("the rest announces %q", rest.Find("#live").Text())
	}
	// A refresh asks for every page that is shown.
	if a := c.HX(ui.List).Get("/admin/users?role=viewer&page=1&page=1"); len(column(a, "Email")) != 60 {
		t.Errorf("two pages are %d rows", len(column(a, "Email")))
	}
}

// Rows open the details of their page, and confirmations open where they are
// asked for. Both are whole pages without htmx.
func TestDetailsAndConfirmationsOpenInPlace(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	exec(t, site, jobRows, queueRows, userRow, synonymRow, `insert into organisations (id, name) overriding system value values (1000009, 'Harbour')`)
	for path, region := range map[string]ui.Region{
		"/admin/jobs/2": "details-2", "/admin/audit/1": "details-1", "/admin/organisations/1000009": "details-1000009",
		"/admin/jobs/1/cancel": "confirm-1", "/admin/jobs/queues/mail/pause": "confirm-queue-mail", "/admin/synonyms/1000001/removal": "confirm-1000001",
		"/admin/users/1000001/activation": "confirm-act", "/admin/users/1000001/deletion": "confirm-del", "/admin/users/1000001/sessions/end": "confirm-ses",
	} {
		if a := c.Get(path); a.Status != 200 || a.Find("main h1").Length() != 1 || a.Find("main "+region.Selector()).Length() != 1 {
			t.Errorf("%s as a page gives %d: %s", path, a.Status, a.Find("main").Text())
		}
		a := c.HX(region).Get(path)
		if a.Status != 200 || a.Find(region.Selector()).Length() != 1 || a.Find("main, h1").Length() != 0 || a.Find("[data-dismiss]").Length() != 1 {
			t.Errorf("%s in place gives %d: %.300s", path, a.Status, a.Body)
		}
	}
	if a := c.Get("/admin/audit/99"); a.Status != 404 {
		t.Errorf("an entry that does not exist gives %d", a.Status)
	}
	// A job that has ended meanwhile is shown as it is.
	exec(t, site, `update river.river_job set state = 'cancelled', finalized_at = now() where id = 1`)
	if a := c.HX("confirm-1").Get("/admin/jobs/1/cancel"); a.Status != 409 || a.Header.Get("HX-Retarget") != "#details-1" || !strings.Contains(a.Text(), "cannot be cancelled") {
		t.Errorf("cancelling what has ended gives %d at %s", a.Status, a.Header.Get("HX-Retarget"))
	}
	a := c.HX("details-2").On("/admin/jobs").Post("/admin/jobs/2/retry", nil)
	if a.Status != 200 || a.Find("#details-2 dd").First().Text() != "Waiting" || a.Find(".done").Text() != "The job runs again." || a.Header.Get("HX-Push-Url") != "false" {
		t.Errorf("retrying in place gives %d: %s", a.Status, a.Text())
	}
}

// Forms answer with themselves: what is wrong in place, success as a toast, a
// conflict with the state that caused it.
func TestFormsAnswerInPlace(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	exec(t, site, userRow, synonymRow)
	a := c.HX(ui.Form.Of("invite")).On("/admin/users/invite").Post("/admin/users/invite", url.Values{"name": {"Mira"}, "email": {"ravi@example.com"}, "role": {"editor"}})
	if a.Status != 422 || a.Find("form#form-invite [data-focus]").Length() != 1 || a.Find("input[name=name]").AttrOr("value", "") != "Mira" || a.Find("main, h1").Length() != 0 {
		t.Errorf("a taken address gives %d: %.300s", a.Status, a.Body)
	}
	a = c.HX(ui.Form.Of("invite")).On("/admin/users/invite").Post("/admin/users/invite", url.Values{"name": {"Mira"}, "email": {"mira@example.com"}, "role": {"viewer"}})
	shown := c.HX().On("/admin/users/invite").Get(a.Address())
	if a.Status != 204 || shown.Find(".toast .done").Text() != "The invitation is on its way." || shown.Find("main h1").Text() != "Mira" {
		t.Errorf("inviting gives %d and %s", a.Status, shown.Text())
	}
	a = c.HX(ui.Form.Of("synonym")).On("/admin/synonyms").Post("/admin/synonyms", url.Values{"term": {"x"}, "means": {"?"}})
	if a.Status != 422 || a.Find("form#form-synonym").Length() != 1 || a.Find("#list").Length() != 0 {
		t.Errorf("a wrong synonym gives %d", a.Status)
	}
	exec(t, site, `update admin_users set active = false where id = 1000001`)
	a = c.HX().On("/admin/users/1000001").Post("/admin/users/1000001/link", nil)
	if a.Status != 409 || a.Find("main .problem [role=alert]").Length() != 1 || a.Find("dt:contains('State') + dd").Text() != "Inactive" {
		t.Errorf("a conflict gives %d: %s", a.Status, a.Text())
	}
	a = c.HX("settings").On("/admin/email-settings").Post("/admin/email-settings", url.Values{"mode": {"smtp"}, "password": {"secret of a server"}})
	if a.Status != 422 || a.Find("form#settings").Length() != 1 || strings.Contains(a.Body, "secret of a server") {
		t.Errorf("wrong settings give %d", a.Status)
	}
}

// A session that has ended leads to the sign-in form and back, and a role that is
// not allowed is shown beside the page.
func TestEndedSessionsAndRoles(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	viewer, boss := site.SignInAdmin(t, identity.Viewer), site.SignInAdmin(t, identity.SuperAdmin)
	if a := viewer.HX().On("/admin").Get("/admin/users"); a.Status != 403 || a.Header.Get("HX-Retarget") != "#flash" || !strings.Contains(a.Text(), "Your role is Viewer.") {
		t.Errorf("a role that may not gives %d at %s: %s", a.Status, a.Header.Get("HX-Retarget"), a.Text())
	}
	exec(t, site, `update admin_users set session_version = session_version + 1`)
	a := boss.HX(ui.List).On("/admin/users?q=ra").Get("/admin/users?q=rav")
	if to := a.Header.Get("HX-Redirect"); to != "/admin/login?next="+url.QueryEscape("/admin/users?q=ra") {
		t.Errorf("an ended session leads to %q", to)
	}
	form := boss.Get(a.Address())
	sent := url.Values{"email": {"super_admin@example.com"}, "password": {"wrong"}, "next": {"/admin/users?q=ra"}}
	if a := boss.HX("login").On("/admin/login").Post("/admin/login", sent); form.Status != 200 || a.Status != 422 || a.Find("form#login .alert.bad").Length() != 1 || a.Find("input[name=next]").AttrOr("value", "") != "/admin/users?q=ra" {
		t.Errorf("a wrong password gives %d: %s", a.Status, a.Text())
	}
	sent.Set("password", webtest.Password)
	if a := boss.HX("login").On("/admin/login").Post("/admin/login", sent); a.Header.Get("HX-Redirect") != "/admin/users?q=ra" {
		t.Errorf("signing in leads to %q", a.Address())
	}
}
