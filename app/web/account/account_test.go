package account_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
)

// members signs one user of each role in, of one organisation.
func members(t *testing.T, site *webtest.Site) (by map[string]*webtest.Client, organisation int64) {
	t.Helper()
	by = map[string]*webtest.Client{}
	by[identity.Owner], organisation = site.SignIn(t, 0, identity.Owner)
	by[identity.Developer], _ = site.SignIn(t, organisation, identity.Developer)
	by[identity.Viewer], _ = site.SignIn(t, organisation, identity.Viewer)
	return by, organisation
}

// one reads a single value of the database.
func one[T any](t *testing.T, site *webtest.Site, sql string, args ...any) (v T) {
	t.Helper()
	if err := site.DB.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func exec(t *testing.T, site *webtest.Site, sql string, args ...any) {
	t.Helper()
	if _, err := site.DB.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// Every role opens what it may and is refused the rest; the navigation shows
// the one and not the other.
func TestRoles(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	by, _ := members(t, site)
	everybody := []string{identity.Owner, identity.Developer, identity.Viewer}
	for path, allowed := range map[string][]string{
		"/account": everybody, "/account/keys": everybody, "/account/profile": everybody, "/account/team": {identity.Owner},
	} {
		for role, c := range by {
			may := strings.Contains(strings.Join(allowed, " "), role)
			want := 403
			if may {
				want = 200
			}
			if a := c.Get(path); a.Status != want || a.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s at %s gets %d, want %d", role, path, a.Status, want)
			}
			if links := c.Get("/account").Find(`nav.nav a[href="` + path + `"]`).Length(); (links > 0) != may {
				t.Errorf("the navigation of %s has %d links to %s", role, links, path)
			}
		}
		if a := site.Client(t).Get(path); a.Status != 303 || !strings.HasPrefix(a.Header.Get("Location"), "/login?next=") {
			t.Errorf("a stranger at %s gets %d", path, a.Status)
		}
	}
}

// changes are every form of the account, with the least role that may send it.
// Those with an id are sent for a colleague, a key or an invitation that does
// not exist, or that is another organisation's.
var changes = []struct{ path, role string }{
	{"/account/first-key", identity.Developer},
	{"/account/keys", identity.Developer},
	{"/account/keys/ID/revoke", identity.Developer},
	{"/account/team/invitations", identity.Owner},
	{"/account/team/invitations/ID/resend", identity.Owner},
	{"/account/team/invitations/ID/withdraw", identity.Owner},
	{"/account/team/ID/role", identity.Owner},
	{"/account/team/ID/activate", identity.Owner},
	{"/account/team/ID/deactivate", identity.Owner},
	{"/account/team/ID/remove", identity.Owner},
	{"/account/profile/name", identity.Viewer},
	{"/account/profile/organisation", identity.Owner},
	{"/account/profile/mobile", identity.Viewer},
	{"/account/profile/mobile/verify", identity.Viewer},
	{"/account/profile/mobile/resend", identity.Viewer},
	{"/account/profile/password", identity.Viewer},
	{"/account/profile/sessions/ID/end", identity.Viewer},
	{"/account/profile/sessions/end-others", identity.Viewer},
}

func TestChangesAreGuarded(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	by, _ := members(t, site)
	rank := map[string]int{identity.Viewer: 0, identity.Developer: 1, identity.Owner: 2}
	before := one[int](t, site, `select count(*) from audit_entries`)
	for _, change := range changes {
		path := strings.Replace(change.path, "ID", "1", 1)
		for role, c := range by {
			if rank[role] < rank[change.role] {
				if a := c.Post(path, nil); a.Status != 403 {
					t.Errorf("%s at %s gets %d", role, path, a.Status)
				}
				continue
			}
			other := by[identity.Owner]
			if role == identity.Owner {
				other = by[identity.Viewer]
			}
			for name, forged := range map[string]*webtest.Answer{
				"no token":            c.Post(path, url.Values{page.TokenField: {""}}),
				"a token of another":  c.Post(path, url.Values{page.TokenField: {other.Token}}),
				"another site's form": c.With("Sec-Fetch-Site", "cross-site").Post(path, nil),
			} {
				if forged.Status != 403 {
					t.Errorf("%s of %s with %s gets %d", path, role, name, forged.Status)
				}
			}
		}
	}
	if after := one[int](t, site, `select count(*) from audit_entries`); after != before {
		t.Errorf("%d changes were recorded", after-before)
	}
}

// What belongs to others, and what is nonsense, is not there.
func TestOthersAreNotThere(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	owner, _ := site.SignIn(t, 0, identity.Owner)
	stranger, elsewhere := site.SignIn(t, 0, identity.Owner)
	stranger.Post("/account/keys", url.Values{"name": {"Shop"}, "channels": {"sms"}})
	stranger.Post("/account/team/invitations", url.Values{"email": {"meera@example.com"}, "role": {identity.Viewer}})
	ids := map[string]int64{
		"keys":        one[int64](t, site, `select id from api_keys where organisation_id = $1`, elsewhere),
		"invitations": one[int64](t, site, `select id from invitations where organisation_id = $1`, elsewhere),
		"team":        one[int64](t, site, `select max(id) from organisation_users where organisation_id = $1`, elsewhere),
	}
	for _, change := range changes {
		if !strings.Contains(change.path, "ID") {
			continue
		}
		noun := "team"
		for candidate := range ids {
			if strings.Contains(change.path, candidate) && candidate != "team" {
				noun = candidate
			}
		}
		for _, id := range []string{text(ids[noun]), "0", "-1", "x", "99999999999999999999", "1%00"} {
			if a := owner.Post(strings.Replace(change.path, "ID", id, 1), url.Values{"role": {identity.Viewer}}); a.Status != 404 {
				t.Errorf("%s for %s gives %d", change.path, id, a.Status)
			}
		}
	}
	for _, path := range []string{"/account/keys/ID/revoke", "/account/team/ID", "/account/team/ID/remove"} {
		noun := "team"
		if strings.Contains(path, "keys") {
			noun = "keys"
		}
		for _, id := range []string{text(ids[noun]), "x"} {
			if a := owner.Get(strings.Replace(path, "ID", id, 1)); a.Status != 404 {
				t.Errorf("%s for %s gives %d", path, id, a.Status)
			}
		}
	}
	if n := one[int](t, site, `select count(*) from api_keys where revoked_at is null`) + one[int](t, site, `select count(*) from invitations`); n != 2 {
		t.Errorf("%d of the other's things are left", n)
	}
}
