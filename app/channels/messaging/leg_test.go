package messaging_test

import (
	"testing"

	"heliograph/app/fault"
)

// A leg is checked like a send. It carries no order, because its payments would have
// nowhere to go.
func TestLegIsCheckedLikeASend(t *testing.T) {
	t.Parallel()
	b := setup(t)
	leg, err := b.service.Sender.NewLeg(t.Context(), b.number, []byte(to(`"type":"text","text":{"body":"Lamp"}`)))
	if err != nil || leg.Channel != "messaging" || leg.Kind != "text" || leg.Sender == "" || len(leg.Payload) == 0 {
		t.Errorf("the leg is %+v, %v", leg, err)
	}
	for name, body := range map[string]string{
		"half an object": `{"messaging_product":"msgapp",`,
		"no text":        to(`"type":"text","text":{}`),
		"unknown kind":   to(`"type":"smoke","smoke":{}`),
		"a read receipt": `{"messaging_product":"msgapp","status":"read","message_id":"` + wamid + `"}`,
		"an order":       interactive(`"type":"order_details",` + body + `,"action":{"name":"review_and_pay","parameters":` + order + `}`),
	} {
		if leg, err := b.service.Sender.NewLeg(t.Context(), b.number, []byte(body)); fault.As(err) == nil || leg.Kind != "" {
			t.Errorf("%s: %+v, %v; want a fault", name, leg, err)
		}
	}
}
