package identity

import (
	"testing"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/dbtest"
)

func TestDeactivatedOrganisationsAreOutAtOnce(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	o := newOffice(t, tx)
	id, err := o.directory.CreateOrganisation(t.Context(), NewOrganisation{Name: "Lighthouse", Owner: NewOwner{Name: "Mira", Email: "mira@example.com", Password: goodPassword}}, "system")
	if err != nil {
		t.Fatal(err)
	}
	key, err := o.directory.CreateKey(t.Context(), id, KeyRequest{Name: "Server", Channels: []string{"sms"}}, "system")
	if err != nil {
		t.Fatal(err)
	}
	keys := NewKeys(tx, db.NewListener(nil))
	s, err := o.directory.SignIn(t.Context(), Account, Credentials{Email: "mira@example.com", Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	works := func(want bool, when string) {
		t.Helper()
		_, session := o.directory.Resume(t.Context(), *s)
		_, call := keys.Authenticate(t.Context(), key)
		if want != (call == nil) || session == nil && when != "before" {
			t.Errorf("%s: the session gives %v, the key %v", when, session, call)
		}
	}
	works(true, "before")
	for _, reason := range []string{"", "  "} {
		if err := o.SetOrganisationActive(t.Context(), o.boss, id, false, reason); !fault.Is(err, fault.Invalid) {
			t.Errorf("the reason %q gives %v", reason, err)
		}
	}
	if err := o.SetOrganisationActive(t.Context(), o.boss, id, false, "unpaid"); err != nil {
		t.Fatal(err)
	}
	works(false, "deactivated")
	if err := o.SetOrganisationActive(t.Context(), o.boss, id, false, "again"); !fault.Is(err, fault.Conflict) {
		t.Errorf("deactivating twice gives %v", err)
	}
	if err := o.SetOrganisationActive(t.Context(), o.boss, id, true, "paid"); err != nil {
		t.Fatal(err)
	}
	works(true, "activated")
	if err := o.SetOrganisationActive(t.Context(), o.boss, 1<<40, true, "paid"); !fault.Is(err, fault.NotFound) {
		t.Errorf("one that is not there gives %v", err)
	}
	var details string
	if err := tx.QueryRow(t.Context(), `select details::text from audit_entries where action = 'organisation.deactivate'`).Scan(&details); err != nil {
		t.Fatal(err)
	}
	if want := `{"after": {"status": "deactivated"}, "before": {"status": "active"}, "reason": "unpaid"}`; details != want {
		t.Errorf("the audit holds %s, want %s", details, want)
	}
}

func TestActivatingWhatWasNeverVerifiedLetsItsOwnerIn(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	o := newOffice(t, tx)
	exec(t, tx, `insert into organisations (id, name) overriding system value values (1000001, 'Lighthouse')`)
	exec(t, tx, `insert into organisation_users (organisation_id, email, password_hash, role) select 1000001, r || '@example.com', (select min(password_hash) from admin_users), r from unnest('{owner,viewer}'::text[]) r`)
	if err := o.SetOrganisationActive(t.Context(), o.boss, 1000001, true, "the number cannot get SMS"); err != nil {
		t.Fatal(err)
	}
	for email, in := range map[string]bool{"owner@example.com": true, "viewer@example.com": false} {
		if _, err := o.directory.SignIn(t.Context(), Account, Credentials{Email: email, Password: goodPassword}); (err == nil) != in {
			t.Errorf("%s: %v", email, err)
		}
	}
}
