package db_test

import (
	"testing"

	"heliograph/db"
)

// Headers in use belong to their user. Where two live organisations use one, or one
// uses the number of another, an administrator decides. Sandboxes own nothing.
func TestHeadersInUseGetOwners(t *testing.T) {
	t.Parallel()
	pool := oldest(t) // from before SMS headers had owners
	_, err := pool.Exec(t.Context(), `
		insert into organisations (name, status, sandbox) select name, 'active', name = 'Sandbox' from unnest('{Harbour,Mill,Sandbox}'::text[]) name;
		insert into sms_accounts (organisation_id) select id from organisations;
		insert into sms_headers (organisation_id, header, kind)
		select o.id, h.header, 'international' from (values
			('Harbour', 'HARBOR'), ('Harbour', 'Harbor'), ('Harbour', 'SHARED'), ('Mill', 'shared'), ('Mill', 'MILLCO'), ('Mill', '567670'), ('Mill', '567671'),
			('Sandbox', 'HARBOR'), ('Sandbox', 'SHARED'), ('Sandbox', 'HELIOG')) h (name, header) join organisations o using (name);
		insert into sms_numbers (number, organisation_id) select '567670', id from organisations where name = 'Harbour';
		insert into sms_numbers (number, organisation_id) select '567671', id from organisations where name = 'Mill'`)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Migrate(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	var got string
	err = pool.QueryRow(t.Context(), `
		select string_agg(o.name || ' ' || upper(h.header) || ' ' || h.state, ', ' order by o.name, upper(h.header))
		from sms_headers h join organisations o on o.id = h.organisation_id`).Scan(&got)
	const want = "Harbour HARBOR granted, Harbour SHARED contested, Mill 567670 contested, Mill 567671 granted, Mill MILLCO granted, Mill SHARED contested, " +
		"Sandbox HARBOR requested, Sandbox HELIOG requested, Sandbox SHARED requested"
	if err != nil || got != want {
		t.Errorf("the headers are %s, %v; want %s", got, err, want)
	}
}
