package identity

import (
	"testing"

	"heliograph/app/fault"
	"heliograph/db/dbtest"
)

// Users see and end their own sessions, and nobody else's.
func TestUsersEndTheirSessions(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	createOrganisation(t, d)
	createAdmin(t, d) // with the same address, on the other surface
	exec(t, tx, `update organisations set status = 'active'`)
	signIn := func(surface Surface, browser string) Session {
		t.Helper()
		s, err := d.SignIn(t.Context(), surface, Credentials{Email: "asha@example.com", Password: goodPassword, UserAgent: browser})
		if err != nil {
			t.Fatal(err)
		}
		return *s
	}
	first, second, third, admin := signIn(Account, "first"), signIn(Account, "second"), signIn(Account, "third"), signIn(Administration, "admin")
	open := func(s Session) (handles map[string]string) {
		t.Helper()
		list, err := d.Sessions(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		handles, current := map[string]string{}, 0
		for _, o := range list {
			if handles[o.UserAgent] = o.Handle; o.Current {
				current++
			}
		}
		if len(list) > 0 && current != 1 {
			t.Errorf("%d of %d sessions are the current one", current, len(list))
		}
		return handles
	}
	alive := func(s Session) bool {
		u, err := d.Resume(t.Context(), s)
		return err == nil && u != nil
	}
	handles := open(first)
	if len(handles) != 3 || len(open(admin)) != 1 {
		t.Fatalf("the user has the sessions %v, the administrator %v", handles, open(admin))
	}
	if err := d.EndSession(t.Context(), first, handles["second"]); err != nil || alive(second) || !alive(first) || !alive(third) {
		t.Errorf("after the second session was ended: %v, %v %v %v", err, alive(first), alive(second), alive(third))
	}
	for name, handle := range map[string]string{"one that ended": handles["second"], "an administrator's": open(admin)["admin"], "an unknown one": "00", "no handle": "x", "an empty one": ""} {
		if err := d.EndSession(t.Context(), first, handle); !fault.Is(err, fault.NotFound) {
			t.Errorf("ending %s: %v", name, err)
		}
	}
	signIn(Account, "fourth")
	if err := d.EndOtherSessions(t.Context(), third); err != nil || alive(first) || !alive(third) || !alive(admin) || len(open(third)) != 1 {
		t.Errorf("after the others were ended: %v, open are %v", err, open(third))
	}
	var entries int
	if err := tx.QueryRow(t.Context(), `select count(*) from audit_entries where action in ('user.end_session', 'user.end_other_sessions')`).Scan(&entries); err != nil || entries != 2 {
		t.Errorf("%d entries of the audit, want 2: %v", entries, err)
	}
}
