package admin_test

import (
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// A banned number, a revoked token and a changed app secret are concerns of the overview.
func TestTroubleOfUpstreamsIsAConcern(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	webtest.Exec(t, site, `insert into carriers (name, kind) values ('upstream', 'graph')`)
	webtest.Exec(t, site, `insert into upstream_states (carrier, kind, asset_id, upstream_id, state, problem) values
		('upstream', 'number', 100000000000001, '2', 'BANNED', 'Sending is BLOCKED.'), ('upstream', 'account', 100000000000002, '3', '', 'The upstream answers 190.')`)
	minute := models.CarrierMinute{Carrier: "upstream", Delayed: 1, Error: "A post is not signed with the app secret."}
	if err := writes.CarrierMinuteAdd(t.Context(), site.DB, minute); err != nil {
		t.Fatal(err)
	}
	concerns := site.SignInAdmin(t, identity.Viewer).Get("/admin").Find(".concerns").Text()
	for _, want := range []string{
		"The carrier upstream began to hold the number 100000000000001 back", "Sending is BLOCKED.", "account 100000000000002", "The upstream answers 190.",
		"The carrier upstream takes nothing. Its messages wait. It says: A post is not signed with the app secret.",
	} {
		if !strings.Contains(concerns, want) {
			t.Errorf("the overview does not say %q: %s", want, concerns)
		}
	}
}
