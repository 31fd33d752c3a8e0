package jobs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// order sends an order over an amount in paise.
func (b *bundle) order(t *testing.T, recipient string, value int) (reference string) {
	t.Helper()
	reference = fmt.Sprintf("order-%s-%d", recipient, value)
	body := fmt.Sprintf(`{"messaging_product":"msgapp","to":%q,"type":"interactive","biz_opaque_callback_data":"mine","interactive":{"type":"order_details",
		"body":{"text":"Your order"},"action":{"name":"review_and_pay","parameters":{"reference_id":%q,"type":"physical-goods",
		"payment_configuration":"main_upi","currency":"INR","total_amount":{"value":%[3]d,"offset":100},"order":{"status":"pending",
		"items":[{"name":"Lamp","amount":{"value":%[3]d,"offset":100},"quantity":1}],"subtotal":{"value":%[3]d,"offset":100},"tax":{"value":0,"offset":100}}}}}}`,
		recipient, reference, value)
	if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(body), ""); err != nil {
		t.Fatal(err)
	}
	return reference
}

// The virtual payer pays as the amount selects, once the order is read, and each
// step is relayed to the partner.
func TestOrdersArePaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	want := map[string][]string{
		b.order(t, "919812345678", 21000): {"captured success", "pending pending"},
		b.order(t, "919812345678", 21001): {"failed failed", "pending pending"},
		b.order(t, "919812345678", 21002): {"captured success", "failed failed", "pending pending", "pending pending"},
		b.order(t, "919812345678", 21003): {"pending pending"},
		b.order(t, "919812345678", 21004): nil,
		b.order(t, "919812340004", 21000): nil, // never read
	}
	got := map[string][]string{}
	for reference := range want {
		got[reference] = nil
	}
	for heard := 0; heard < 9+5*3+2; heard++ {
		select {
		case c := <-calls:
			if c.status.Type != "payment" {
				continue
			}
			p := c.status.Payment
			if c.status.Reference != "mine" || c.status.RecipientID != "919812345678" || p.Currency != "INR" || p.Amount.Offset != 100 || p.Transaction.Type != "upi" || p.Transaction.CreatedAt == 0 {
				t.Errorf("callback = %s", c.body)
			}
			got[p.ReferenceID] = append(got[p.ReferenceID], c.status.Status+" "+p.Transaction.Status)
		case <-time.After(30 * time.Second):
			t.Fatalf("after %d callbacks within 30 s: %v", heard, got)
		}
	}
	for _, steps := range got {
		slices.Sort(steps) // callbacks come in any order
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("payment callbacks (-want +got):\n%s", diff)
	}
	stored := map[string]string{}
	for reference := range want {
		o, transactions, err := b.service.Sender.Payment(t.Context(), b.number, "main_upi", reference)
		if err != nil {
			t.Fatal(err)
		}
		stored[reference] = fmt.Sprint(o.PaymentStatus, len(transactions))
	}
	final := map[string]string{
		"order-919812345678-21000": "CAPTURED1", "order-919812345678-21001": "FAILED1", "order-919812345678-21002": "CAPTURED2",
		"order-919812345678-21003": "PENDING1", "order-919812345678-21004": "NEW0", "order-919812340004-21000": "NEW0",
	}
	if diff := cmp.Diff(final, stored); diff != "" {
		t.Errorf("payments (-want +got):\n%s", diff)
	}
}
