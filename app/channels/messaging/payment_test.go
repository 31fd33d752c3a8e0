package messaging_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/db"
)

// orderParameters sends an order of the sandbox and returns the message that opened it.
func (b *bundle) order(t *testing.T, parameters string) uuid.UUID {
	t.Helper()
	reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(interactive(`"type":"order_details",`+body+`,"action":{"name":"review_and_pay","parameters":`+parameters+`}`)), "")
	if err != nil {
		t.Fatal(err)
	}
	var sent messaging.SendReply
	if err := json.Unmarshal(reply.Body, &sent); err != nil {
		t.Fatal(err)
	}
	id, ok := messaging.ParseMessageID(sent.Messages[0].ID)
	if !ok {
		t.Fatalf("no message id in %s", reply.Body)
	}
	return id
}

// An order that is sent many times at once under one key is opened once, and each
// request gets its answer.
func TestOneKeyOpensOneOrderAtTheSameTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := []byte(interactive(`"type":"order_details",` + body + `,"action":{"name":"review_and_pay","parameters":` + order + `}`))
	const times = 50
	replies := make([]string, times)
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() {
			reply, err := b.service.Sender.Send(t.Context(), b.number, request, "order-1")
			if err != nil {
				t.Error(err)
			}
			replies[i] = string(reply.Body)
		})
	}
	wg.Wait()
	for i, reply := range replies {
		if reply != replies[0] || reply == "" {
			t.Errorf("reply %d is %q, want that of the first, %q", i, reply, replies[0])
		}
	}
	if n := b.count(t, `select count(*) from messages`); n != 1 {
		t.Errorf("%d messages are stored, want 1", n)
	}
}

// pay reports a status of a payment and returns what can be read of it then.
func (b *bundle) pay(t *testing.T, id uuid.UUID, status string) (moved bool, now string) {
	t.Helper()
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) (err error) {
		moved, err = messaging.ReportPayment(t.Context(), tx, b.jobs, messaging.PaymentStep{MessageID: id, Status: status, At: time.Now()})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return moved, b.payment(t, "order-7")
}

func (b *bundle) payment(t *testing.T, reference string) string {
	t.Helper()
	o, transactions, err := b.service.Sender.Payment(t.Context(), b.number, "main_upi", reference)
	if err != nil {
		t.Fatal(err)
	}
	states := []string{o.PaymentStatus}
	for _, each := range transactions {
		states = append(states, each.Status)
	}
	return strings.Join(states, " ")
}

func (b *bundle) news(t *testing.T, status string) error {
	t.Helper()
	_, err := b.service.Sender.Send(t.Context(), b.number, []byte(interactive(`"type":"order_status",`+body+`,"action":{"name":"review_order","parameters":{"reference_id":"order-7","order":{"status":"`+status+`"}}}`)), "")
	return err
}

func TestPaymentMovesForwardOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order(t, order)
	type step struct {
		To    string
		Moved bool
		Now   string
	}
	want := []step{
		{"CAPTURED", false, "NEW"}, {"FAILED", false, "NEW"},
		{"PENDING", true, "PENDING pending"}, {"PENDING", false, "PENDING pending"},
		{"FAILED", true, "FAILED failed"}, {"CAPTURED", false, "FAILED failed"},
		{"PENDING", true, "PENDING failed pending"}, {"CAPTURED", true, "CAPTURED failed success"},
		{"PENDING", false, "CAPTURED failed success"}, {"FAILED", false, "CAPTURED failed success"},
	}
	var got []step
	for _, s := range want {
		moved, now := b.pay(t, id, s.To)
		got = append(got, step{s.To, moved, now})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if err := b.news(t, "canceled"); err == nil || !strings.Contains(err.Error(), "Parameter value is not valid") {
		t.Errorf("canceling a paid order = %v, want a refusal", err)
	}
	if err := b.news(t, "completed"); err != nil {
		t.Errorf("completing a paid order: %v", err)
	}
	if _, err := messaging.ReportPayment(t.Context(), nil, nil, messaging.PaymentStep{MessageID: id, Status: "CANCELED"}); err == nil {
		t.Error("a payer canceled an order")
	}
}

func TestCanceledOrderIsNotPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: "https://hooks.example.com/"}, "test"); err != nil {
		t.Fatal(err)
	}
	id := b.order(t, order)
	b.pay(t, id, "PENDING")
	if err := b.news(t, "canceled"); err != nil {
		t.Fatal(err)
	}
	const told = `select count(*) from deliveries where event = 'payment.canceled' and convert_from(body, 'UTF8')::json #>> '{entry,0,changes,0,value,statuses,0,payment,transaction,status}' = 'failed'`
	if n := b.count(t, told); n != 1 {
		t.Errorf("%d callbacks tell that the payment was canceled", n)
	}
	if moved, now := b.pay(t, id, "CAPTURED"); moved || now != "CANCELED failed" {
		t.Errorf("a canceled order is %s", now)
	}
}

func TestExpiredOrderIsNotPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order(t, strings.Replace(order, `"order":{`, `"order":{"expiration":{"timestamp":"1767225600"},`, 1))
	if _, err := b.pool.Exec(t.Context(), `update orders set expires_at = now() - interval '1 second'`); err != nil {
		t.Fatal(err)
	}
	if moved, now := b.pay(t, id, "PENDING"); moved || now != "NEW" {
		t.Errorf("an expired order is %s", now)
	}
}

// A payment that an upstream reports as captured while its beginning is being stored is
// captured, although both were posted at the same time.
func TestPaymentCapturedWhileItBegins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order(t, order)
	tx, err := b.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	step := messaging.PaymentStep{MessageID: id, Status: "PENDING", At: time.Now(), TransactionID: "txn-1"}
	if moved, err := messaging.ReportPayment(t.Context(), tx, b.jobs, step); err != nil || !moved {
		t.Fatal(moved, err)
	}
	step.Status = "CAPTURED"
	done := make(chan error, 1)
	go func() {
		_, err := messaging.PaymentObserver{DB: b.pool, Jobs: b.jobs}.Observe(t.Context(), step)
		done <- err
	}()
	for end := time.Now().Add(time.Minute); b.count(t, `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nobody waits for the beginning")
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := b.payment(t, "order-7"); !strings.HasPrefix(got, "CAPTURED") {
		t.Errorf("the payment is %s", got)
	}
}
