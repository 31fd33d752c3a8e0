package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// order is a message that asks to be paid.
func order(reference, configuration string, value int) string {
	return fmt.Sprintf(`{"messaging_product":"msgapp","to":"919812345678","type":"interactive","interactive":{"type":"order_details",
		"body":{"text":"Your order"},"action":{"name":"review_and_pay","parameters":{"reference_id":%q,"type":"physical-goods",
		"payment_configuration":%q,"currency":"INR","total_amount":{"value":%[3]d,"offset":100},"order":{"status":"pending",
		"items":[{"name":"Lamp","amount":{"value":%[3]d,"offset":100},"quantity":1}],"subtotal":{"value":%[3]d,"offset":100},"tax":{"value":0,"offset":100}}}}}}`,
		reference, configuration, value)
}

// news is a message about an order.
func news(reference, status string) string {
	return fmt.Sprintf(`{"messaging_product":"msgapp","to":"919812345678","type":"interactive","interactive":{"type":"order_status",
		"body":{"text":"Your order"},"action":{"name":"review_order","parameters":{"reference_id":%q,"order":{"status":%q}}}}}`, reference, status)
}

// paymentStatus is the status of the payment of an order, with its amount.
func (p *partner) paymentStatus(t *testing.T, configuration, reference string) string {
	t.Helper()
	a := p.call(t, http.MethodGet, p.number("/payments/"+configuration+"/"+reference), "")
	var got struct {
		Payments []struct {
			Reference string `json:"reference_id"`
			Status    string
			Currency  string
			Amount    struct{ Value, Offset int }
		}
	}
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != 200 || len(got.Payments) != 1 {
		t.Fatalf("payment of %s = %d %s", reference, a.status, a.body)
	}
	payment := got.Payments[0]
	return fmt.Sprintf("%s %s %s %d/%d", payment.Reference, payment.Status, payment.Currency, payment.Amount.Value, payment.Amount.Offset)
}

func TestPayment(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	for _, configuration := range []string{"main_upi", "%C3%A9t%C3%A9"} {
		plain := strings.ReplaceAll(configuration, "%C3%A9", "é")
		if a := first.call(t, http.MethodPost, first.number("/messages"), order("order-1", plain, 21000)); a.status != 200 {
			t.Fatalf("order = %d %s", a.status, a.body)
		}
		if got, want := first.paymentStatus(t, configuration, "order-1"), "order-1 NEW INR 21000/100"; got != want {
			t.Errorf("payment under %s = %s, want %s", plain, got, want)
		}
	}
	for _, tt := range []struct {
		name, path   string
		status, code int
	}{
		{"unknown order", first.number("/payments/main_upi/order-2"), 404, 803},
		{"unknown configuration", first.number("/payments/other/order-1"), 404, 803},
		{"order of another number", second.number("/payments/main_upi/order-1"), 403, 200},
		{"unknown number", "/1234567890123456/payments/main_upi/order-1", 404, 803},
		{"no number", "/x/payments/main_upi/order-1", 404, 803},
		{"order id", first.number("/payments/main_upi/order%20" + strings.Repeat("1", 40)), 400, 100},
		{"NUL in the order id", first.number("/payments/main_upi/%00"), 400, 100},
		{"configuration", first.number("/payments/" + strings.Repeat("x", 61) + "/order-1"), 400, 100},
		{"NUL in the configuration", first.number("/payments/%00/order-1"), 400, 100},
		{"no text", first.number("/payments/%ff/order-1"), 400, 100},
		{"endless", first.number("/payments/main_upi/" + strings.Repeat("x", 1<<20)), 400, 100},
	} {
		if a := first.call(t, http.MethodGet, tt.path, ""); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %.300s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	if a := second.call(t, http.MethodGet, second.number("/payments/main_upi/order-1"), ""); a.status != 404 {
		t.Errorf("the other partner finds the order: %d %s", a.status, a.body)
	}
}

func TestOrdersAreOpenedOnceAndMoved(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	send := func(body string, headers ...string) int {
		a := first.call(t, http.MethodPost, first.number("/messages"), body, headers...)
		if a.status == 200 {
			return 0
		}
		return a.code(t)
	}
	var got []int
	got = append(got,
		send(order("a", "main_upi", 100), "Idempotency-Key", "k1"),
		send(order("a", "main_upi", 100), "Idempotency-Key", "k1"), // the same send, repeated
		send(order("a", "main_upi", 100)),                          // another order of the same name
		send(order("a", "main_upi", 100), "Idempotency-Key", "k2"),
		send(order("b", "main_upi", 100)),
		send(news("a", "shipped")),
		send(news("a", "completed")),
		send(news("a", "canceled")), // too late
		send(news("b", "canceled")),
		send(news("b", "canceled")),
		send(news("c", "shipped")), // no such order
	)
	if diff := cmp.Diff([]int{0, 0, 131009, 131009, 0, 0, 0, 131009, 0, 131009, 131009}, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	if got := first.paymentStatus(t, "main_upi", "a") + ", " + first.paymentStatus(t, "main_upi", "b"); got != "a NEW INR 100/100, b CANCELED INR 100/100" {
		t.Errorf("payments = %s", got)
	}
	if a := second.call(t, http.MethodPost, second.number("/messages"), news("a", "shipped")); a.status != 400 || a.code(t) != 131009 {
		t.Errorf("news of the order of another: %d %s", a.status, a.body)
	}
	var messages, jobs int
	err := first.pool.QueryRow(t.Context(), `select (select count(*) from messages), (select count(*) from river.river_job where kind = 'carry_message')`).Scan(&messages, &jobs)
	if err != nil || messages != 5 || jobs != 5 {
		t.Errorf("%d messages and %d jobs came of it, want 5 and 5: %v", messages, jobs, err)
	}
}
