package jobs_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/messaging/shop"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db/models"
)

// exchangeAssets changes the profile, the key, a QR code and the products here, pays an
// order there, and expects each on the other side.
func (l *live) exchangeAssets(t *testing.T, up *bundle) {
	t.Helper()
	websites := []input.Text{"https://lamps.example"}
	change := assets.ProfileChange{About: new(input.Text("We light lamps")), Vertical: new(input.Text("RETAIL")), Websites: &websites}
	if err := l.service.Profiles.SetProfile(t.Context(), l.number, change, "test"); err != nil {
		t.Fatal(err)
	}
	l.until(t, "the profile is at the upstream", func() bool {
		p, err := up.service.Profiles.Profile(t.Context(), up.number)
		return err == nil && p.About == "We light lamps" && p.Vertical == "RETAIL" && len(p.Websites) == 1
	})
	if err := up.service.Profiles.SetProfile(t.Context(), up.number, assets.ProfileChange{About: new(input.Text("We repair lamps"))}, "test"); err != nil {
		t.Fatal(err)
	}
	if err := l.service.FlowKeys.SetKey(t.Context(), l.number, "", false, "test"); err != nil {
		t.Fatal(err)
	}
	l.until(t, "both have one key, which is valid", func() bool {
		ours, err := l.service.FlowKeys.PublicKey(t.Context(), l.number)
		theirs, failed := up.service.FlowKeys.PublicKey(t.Context(), up.number)
		return err == nil && failed == nil && ours.PEM == theirs.PEM && ours.Signature == "VALID"
	})
	tx, err := l.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	code, err := l.service.QRCodes.SaveQRCode(t.Context(), tx, models.QRCode{PhoneNumberID: l.number.ID, Message: "Is my lamp ready?"})
	if err != nil || tx.Commit(t.Context()) != nil {
		t.Fatal(err)
	}
	l.until(t, "the code is at the upstream", func() bool {
		return up.count(t, `select count(*) from qr_codes where message = 'Is my lamp ready?'`) == 1 &&
			l.count(t, `select count(*) from upstream_assets where item = $1 and upstream_id <> '' and state like 'http%'`, code.Code) == 1
	})
	if err := l.service.QRCodes.DeleteQRCode(t.Context(), l.number, code.Code); err != nil {
		t.Fatal(err)
	}
	l.until(t, "the code is deleted at the upstream", func() bool { return up.count(t, `select count(*) from qr_codes`) == 0 })
	var b shop.Batch
	if err := json.Unmarshal([]byte(`{"requests":[{"method":"CREATE","retailer_id":"LAMP-1","data":{"name":"Lamp","price":21000,"currency":"INR","shipping":[{"country":"IN","price_value":"10"}]}}]}`), &b); err != nil {
		t.Fatal(err)
	}
	if _, err := l.service.Shop.Change(t.Context(), fmt.Sprint(l.sandbox.CatalogueID), b, pipeline.Key{OrganisationID: l.number.OrganisationID}); err != nil {
		t.Fatal(err)
	}
	l.until(t, "the product is at the upstream", func() bool {
		return up.count(t, `select count(*) from products where retailer_id = 'LAMP-1' and price = 21000 and shipping is not null`) == 1 &&
			l.count(t, `select count(*) from upstream_assets where item = 'LAMP-1' and pushed = revision and error = '' and upstream_id = ''`) == 1
	})
	order := l.sendOne(t, `"type":"interactive","interactive":{"type":"order_details","body":{"text":"Your lamp"},"action":{"name":"review_and_pay","parameters":{"reference_id":"INV-2",
		"type":"physical-goods","payment_configuration":"upi-main","payment_type":"upi","currency":"INR","total_amount":{"value":21000,"offset":100},
		"order":{"status":"pending","items":[{"name":"Lamp","amount":{"value":21000,"offset":100},"quantity":1}],"subtotal":{"value":21000,"offset":100},"tax":{"value":0,"offset":100}}}}}`)
	l.until(t, "the payment is known on both sides, with the upstream's id of the attempt", func() bool {
		var transaction string
		err := up.pool.QueryRow(t.Context(), `select p.id from payment_transactions p join orders o on o.message_id = p.order_id where o.reference_id = 'INV-2' and o.payment_status = 'CAPTURED'`).Scan(&transaction)
		return err == nil && l.count(t, `select count(*) from payment_transactions p join orders o on o.message_id = p.order_id where o.message_id = $1 and o.payment_status = 'CAPTURED' and p.id = $2`, order, transaction) == 1
	})
	l.sync(t)
	if p, err := l.service.Profiles.Profile(t.Context(), l.number); err != nil || p.About != "We repair lamps" || p.Vertical != "RETAIL" {
		t.Errorf("the profile that was changed at the upstream is %+v, %v", p, err)
	}
}
