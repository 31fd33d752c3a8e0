package carry

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"heliograph/app/channels/pipeline"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// Nothing of a live sender goes to the virtual carrier, which would pretend to
// deliver it.
func TestLiveMessagesNeedACarrierOfTheirOwn(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	virtual := outbound.NewVirtual(nil)
	c := newOpenCarriers(Options{Carrier: virtual, Routes: pipeline.NewRoutes(pool, db.NewListener(pool))})
	find := func(sandbox bool) (outbound.Carrier, error) {
		t.Helper()
		m := models.Message{ID: uuid.New(), Channel: "sms", Sender: "HELIOG"}
		if err := pool.QueryRow(t.Context(), `insert into organisations (name, sandbox) values ('Lighthouse', $1) returning id`, sandbox).Scan(&m.OrganisationID); err != nil {
			t.Fatal(err)
		}
		return c.find(t.Context(), m)
	}
	if carrier, err := find(true); carrier != virtual || err != nil {
		t.Errorf("a sandbox has the carrier %v, %v; want the virtual one", carrier, err)
	}
	if carrier, err := find(false); carrier != nil || !errors.Is(err, errNoCarrier) {
		t.Errorf("a live sender without a route has the carrier %v, %v; want none", carrier, err)
	}
	_, err := pool.Exec(t.Context(), `
		with c as (insert into carriers (name, kind) values ('upstream', 'pigeon') returning id)
		insert into carrier_routes (channel, carrier_id) select 'sms', id from c`)
	if err != nil {
		t.Fatal(err)
	}
	if carrier, err := find(false); carrier != nil || err == nil || !strings.Contains(err.Error(), "pigeon") {
		t.Errorf("a carrier of an unknown kind is %v, %v", carrier, err)
	}
	if carrier, err := newOpenCarriers(Options{Carrier: virtual}).find(t.Context(), models.Message{}); carrier != virtual || err != nil {
		t.Errorf("without routes at all the carrier is %v, %v; want the virtual one", carrier, err)
	}
}

// A carrier is opened once, so that its connections are used again, and again when
// an operator has changed its settings.
func TestCarriersFollowTheirSettings(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	m := models.Message{ID: uuid.New(), Channel: "sms", Sender: "HELIOG"}
	if err := pool.QueryRow(t.Context(), `insert into organisations (name) values ('Lighthouse') returning id`).Scan(&m.OrganisationID); err != nil {
		t.Fatal(err)
	}
	settings, err := json.Marshal(map[string]string{"username": "lamp"})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	secret := keys.Seal([]byte("oil"), keyring.Place("carriers", "secret", "operator"))
	_, err = pool.Exec(t.Context(), `
		with c as (insert into carriers (name, kind, url, settings, secret) values ('operator', 'kannel', 'http://127.0.0.1:1', $1, $2) returning id)
		insert into carrier_routes (channel, carrier_id) select 'sms', id from c`, settings, secret)
	if err != nil {
		t.Fatal(err)
	}
	c := newOpenCarriers(Options{Keyring: keys, Gateways: outbound.New(outbound.Options{AllowLoopback: true}), Routes: pipeline.NewRoutes(pool, db.NewListener(nil))})
	var opened []outbound.Carrier
	for _, change := range []string{`select 1`, `select 1`, `update carriers set url = 'http://127.0.0.1:2', updated_at = updated_at + interval '1 s'`, `select 1`} {
		if _, err := pool.Exec(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		carrier, err := c.find(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		opened = append(opened, carrier)
	}
	if opened[0] != opened[1] || opened[2] != opened[3] {
		t.Error("a carrier without changes was opened twice")
	}
	if opened[1] == opened[2] {
		t.Error("a carrier whose address was changed was not opened again")
	}
}
