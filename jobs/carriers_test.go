package jobs

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"heliograph/app/delivery"
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
	c := newCarriers(Deps{Carrier: virtual, Routes: delivery.NewRoutes(pool, db.NewListener(pool))})
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
	if carrier, err := newCarriers(Deps{Carrier: virtual}).find(t.Context(), models.Message{}); carrier != virtual || err != nil {
		t.Errorf("without routes at all the carrier is %v, %v; want the virtual one", carrier, err)
	}
}
