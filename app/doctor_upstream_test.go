package main

import (
	"strings"
	"testing"

	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// A banned number, a revoked token and a changed app secret are problems of the doctor, in
// the words of the upstream.
func TestDoctorNamesTroubleOfUpstreams(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	_, err := pool.Exec(t.Context(), `
		with c as (insert into carriers (name, kind) values ('upstream', 'graph'))
		insert into upstream_states (carrier, kind, asset_id, upstream_id, state, problem) values
			('upstream', 'number', 100000000000001, '2', 'BANNED', 'Sending is BLOCKED. 141000 The number is banned.'),
			('upstream', 'account', 100000000000002, '3', '', 'The upstream answers 190 Invalid OAuth access token.')`)
	if err != nil {
		t.Fatal(err)
	}
	minute := models.CarrierMinute{Carrier: "upstream", Delayed: 1, Error: "A post to the webhook is not signed with the app secret."}
	if err := writes.CarrierMinuteAdd(t.Context(), pool, minute); err != nil {
		t.Fatal(err)
	}
	environ := []string{"DATABASE_URL=" + pool.Config().ConnString(), "STORAGE_FOLDER=" + t.TempDir(), "ENCRYPTION_KEYS=k1:" + strings.Repeat("A", 43) + "="}
	status, out, errs := invoke(t, environ, "doctor")
	for _, want := range []string{
		"The carrier upstream holds the number 100000000000001 back: Sending is BLOCKED. 141000 The number is banned.",
		"The carrier upstream holds the account 100000000000002 back: The upstream answers 190 Invalid OAuth access token.",
		"The carrier upstream takes nothing: A post to the webhook is not signed with the app secret.",
		"Test the carrier at /admin/carriers.",
	} {
		if !strings.Contains(out, want) || status != 1 {
			t.Errorf("the doctor ends with %d and does not say %q:\n%s%s", status, want, out, errs)
		}
	}
}
