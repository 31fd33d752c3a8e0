package pipeline

import (
	"testing"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// The most specific route decides, and nothing is carried without one.
func TestMostSpecificRouteDecides(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	live, other, sandbox := addOrganisation(t, pool, false), addOrganisation(t, pool, false), addOrganisation(t, pool, true)
	// Without a listener that runs, nothing is kept in memory.
	routes := NewRoutes(pool, db.NewListener(pool))
	find := func(organisation int64, sender string) string {
		t.Helper()
		query := RouteQuery{Channel: "sms", Sender: sender, OrganisationID: organisation}
		route, err := routes.Find(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		if err := routes.Check(t.Context(), query); fault.Is(err, fault.Unavailable) != (route.Name == "" && !route.Sandbox) {
			t.Errorf("sender %s has carrier %q, and its check gives %v", sender, route.Name, err)
		}
		return route.Name
	}
	if got := find(live, "HELIOG"); got != "" {
		t.Errorf("without routes the carrier is %q", got)
	}
	for _, add := range []struct {
		name, channel, sender string
		organisation          int64
	}{
		{"other-channel", "rcs", "HELIOG", live}, {"channel", "sms", "", 0}, {"organisation", "sms", "", live}, {"sender", "sms", "HELIOG", 0}, {"both", "sms", "HELIOG", live},
	} {
		_, err := pool.Exec(t.Context(), `
			with c as (insert into carriers (name, kind) values ($1, 'http') returning id)
			insert into carrier_routes (channel, sender, organisation_id, carrier_id) select $2, $3, $4, id from c`, add.name, add.channel, add.sender, add.organisation)
		if err != nil {
			t.Fatal(err)
		}
		if add.name == "other-channel" {
			if got := find(live, "HELIOG"); got != "" {
				t.Errorf("the carrier of another channel is %q", got)
			}
			continue
		}
		if got := find(live, "HELIOG"); got != add.name {
			t.Errorf("the carrier is %q, want %q", got, add.name)
		}
	}
	for _, tt := range []struct {
		organisation int64
		sender, want string
	}{
		{live, "OTHERS", "organisation"}, {other, "HELIOG", "sender"}, {other, "OTHERS", "channel"},
	} {
		if got := find(tt.organisation, tt.sender); got != tt.want {
			t.Errorf("%d %s has carrier %q, want %q", tt.organisation, tt.sender, got, tt.want)
		}
	}
	if _, err := pool.Exec(t.Context(), `update carriers set disabled_at = now() where name = 'both'`); err != nil {
		t.Fatal(err)
	}
	if got := find(live, "HELIOG"); got != "sender" {
		t.Errorf("beside a disabled carrier the carrier is %q, want sender", got)
	}
	route, err := routes.Find(t.Context(), RouteQuery{Channel: "sms", Sender: "HELIOG", OrganisationID: sandbox})
	if err != nil || !route.Sandbox {
		t.Errorf("the route of a sandbox is %+v, %v", route, err)
	}
	var none *Routes
	if err := none.Check(t.Context(), RouteQuery{}); err != nil {
		t.Errorf("without routes at all: %v", err)
	}
}
