package pipeline_test

import (
	"context"
	"strings"
	"testing"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

func TestCarriers(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	carriers := &pipeline.Carriers{DB: tx, Keyring: keys, Kinds: []string{"kannel"}, CheckURL: func(_ context.Context, url string) error {
		if !strings.HasPrefix(url, "https://") {
			return fault.New(fault.Invalid, "The URL must begin with https://.")
		}
		return nil
	}}
	good := pipeline.CarrierChange{Name: "operator", Kind: "kannel", URL: "https://gateway.example.com/cgi-bin/sendsms", Settings: map[string]string{"username": "heliograph"}, Secret: "hush"}
	for field, change := range map[string]func(c *pipeline.CarrierChange){
		"name": func(c *pipeline.CarrierChange) { c.Name = "virtual" },
		"kind": func(c *pipeline.CarrierChange) { c.Kind = "pigeon" },
		"url":  func(c *pipeline.CarrierChange) { c.URL = "http://gateway.example.com" },
	} {
		wrong := good
		change(&wrong)
		if f := fault.As(carriers.Set(t.Context(), wrong, "test")); f == nil || len(f.Fields) != 1 || f.Fields[0].Name != field {
			t.Errorf("a wrong %s gives %+v", field, f)
		}
	}
	for _, name := range []string{"", "operator"} {
		if f := fault.As(carriers.Route(t.Context(), models.CarrierRule{Channel: "sms", Carrier: name}, "test")); f == nil || len(f.Fields) != 1 || f.Fields[0].Name != "carrier" {
			t.Errorf("a route to the carrier %q, which does not exist, gives %+v", name, f)
		}
	}
	if err := carriers.Set(t.Context(), good, "test"); err != nil {
		t.Fatal(err)
	}
	good.Secret = ""
	if err := carriers.Set(t.Context(), good, "test"); err != nil {
		t.Fatal(err)
	}
	var organisation int64
	if err := tx.QueryRow(t.Context(), `insert into organisations (name, status) values ('Live', 'active') returning id`).Scan(&organisation); err != nil {
		t.Fatal(err)
	}
	rule := models.CarrierRule{Channel: "sms", Sender: "PARCEL", Carrier: "operator"}
	if err := carriers.Route(t.Context(), rule, "test"); err != nil {
		t.Fatal(err)
	}
	route, err := queries.CarrierRouteGet(t.Context(), tx, organisation, "sms", "PARCEL")
	if err != nil || route.Name != "operator" || !strings.Contains(string(route.Settings), "heliograph") {
		t.Errorf("the route is %+v, %v", route, err)
	}
	if plain, err := keys.Open(route.Secret, keyring.Place("carriers", "secret", "operator")); err != nil || string(plain) != "hush" {
		t.Errorf("the secret is %q, %v", plain, err)
	}
	if list, rules, err := carriers.List(t.Context()); err != nil || len(list) != 1 || list[0].Secret != nil || len(rules) != 1 || rules[0] != rule {
		t.Errorf("the list is %+v, %+v, %v", list, rules, err)
	}
	if err := carriers.RemoveRoute(t.Context(), rule, "test"); err != nil {
		t.Error(err)
	}
	if err := carriers.RemoveRoute(t.Context(), rule, "test"); !fault.Is(err, fault.NotFound) {
		t.Errorf("removing it again gives %v", err)
	}
	if err := carriers.Remove(t.Context(), "operator", "test"); err != nil {
		t.Error(err)
	}
	if _, err := queries.CarrierRouteGet(t.Context(), tx, organisation, "sms", "PARCEL"); err != nil && !db.IsNoRows(err) {
		t.Error(err)
	}
	var entries, leaks int
	err = tx.QueryRow(t.Context(), `select count(*), count(*) filter (where details::text like '%hush%') from audit_entries where action like 'carrier%'`).Scan(&entries, &leaks)
	if err != nil || entries != 5 || leaks != 0 {
		t.Errorf("the audit has %d entries, %d with the secret, %v", entries, leaks, err)
	}
}
