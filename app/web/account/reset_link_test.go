package account_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
)

// An owner and a Super Admin can send a link to a user without a mobile number. It
// sets the password once and ends every session.
func TestPasswordLink(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	by, organisation := members(t, site)
	owner, viewer := by[identity.Owner], by[identity.Viewer]
	ids := map[string]string{}
	for _, role := range []string{identity.Owner, identity.Viewer} {
		ids[role] = one[string](t, site, `select id::text from organisation_users where organisation_id = $1 and role = $2`, organisation, role)
	}
	colleague := "/account/team/" + ids[identity.Viewer]
	if a := owner.Get(colleague); a.Find("form[action='"+colleague+"/link']").Length() != 1 {
		t.Fatalf("the page of a colleague offers %s", a.Find("main").Text())
	}
	if a := viewer.Post(colleague+"/link", nil); a.Status != 403 {
		t.Errorf("a viewer gets %d", a.Status)
	}
	if a := owner.Post(colleague+"/link", nil); a.Address() != "/account/team?done=link" {
		t.Fatalf("sending gives %d to %s", a.Status, a.Address())
	}
	first := site.PasswordLink(t)
	owner.Post(colleague+"/link", nil)
	link := site.PasswordLink(t)
	if a := site.Client(t).Get(first); a.Status != 410 || link == first {
		t.Errorf("the earlier link gives %d", a.Status)
	}
	visitor := site.Client(t)
	if a := visitor.Get(link); a.Status != 200 || a.Find("input[type=password]").Length() != 2 {
		t.Fatalf("the link gives %d %s", a.Status, a.Find("main").Text())
	}
	token := strings.TrimPrefix(link, "/reset-password?token=")
	form := func(password string) url.Values {
		return url.Values{"token": {token}, "password": {password}, "confirmation": {password}}
	}
	if a := visitor.Post("/reset-password", form("short")); a.Status != 422 || a.Find("#field-password-error").Length() != 1 {
		t.Errorf("a short password gives %d", a.Status)
	}
	chosen := "violet harbour lantern 42"
	if a := visitor.Follow(visitor.Post("/reset-password", form(chosen))); a.Status != 200 || !strings.Contains(a.Find("h1").Text(), "The password is set") {
		t.Fatalf("setting it gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := visitor.Post("/reset-password", form("another violet harbour 43")); a.Status != 410 {
		t.Errorf("the used link gives %d", a.Status)
	}
	if a := viewer.Get("/account"); a.Status != 303 {
		t.Errorf("the earlier session gives %d", a.Status)
	}
	email := one[string](t, site, `select email from organisation_users where id = $1::bigint`, ids[identity.Viewer])
	if a := visitor.Post("/login", url.Values{"email": {email}, "password": {chosen}}); a.Address() != "/account" {
		t.Errorf("signing in gives %d to %s", a.Status, a.Address())
	}

	// The only owner has nobody but the administration.
	super, editor := site.SignInAdmin(t, identity.SuperAdmin), site.SignInAdmin(t, identity.Editor)
	page, send := "/admin/organisations/"+text(organisation), "/admin/organisations/"+text(organisation)+"/users/"+ids[identity.Owner]+"/link"
	if a := super.Get(page); a.Find("form[action='"+send+"']").Length() != 1 {
		t.Errorf("a Super Admin sees %s", a.Find("main").Text())
	}
	if a := editor.Get(page); a.Find("form[action$='/link']").Length() != 0 || editor.Post(send, nil).Status != 403 {
		t.Error("an Editor may send links")
	}
	if a := super.Post(send, nil); a.Address() != page+"?done=link" {
		t.Errorf("sending gives %d to %s", a.Status, a.Address())
	}
	if a := super.Post("/admin/organisations/"+text(organisation+1)+"/users/"+ids[identity.Owner]+"/link", nil); a.Status != 404 {
		t.Errorf("a user of another organisation gives %d", a.Status)
	}
	if a := site.Client(t).Get(site.PasswordLink(t)); a.Status != 200 {
		t.Errorf("the link of the owner gives %d", a.Status)
	}
	if n := one[int](t, site, `select count(*)::int from audit_entries where action = 'user.send_link'`); n != 3 {
		t.Errorf("%d entries in the audit", n)
	}
	if n := one[int](t, site, `select count(*)::int from notifications where kind = $1 and purpose = 'user_link'`, models.KindEmail); n != 3 {
		t.Errorf("%d emails", n)
	}
}
