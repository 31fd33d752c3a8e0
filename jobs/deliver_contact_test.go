package jobs_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/limit"
	"heliograph/app/operation/setting"
	"heliograph/app/people/contact"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// crm serves the webhook of enquiries; answer chooses the status of each call.
func crm(t *testing.T, answer func(n int) int) (url string, calls chan received) {
	t.Helper()
	calls = make(chan received, 1000)
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		calls <- received{header: r.Header, body: body}
		w.WriteHeader(answer(int(n.Add(1))))
	}))
	t.Cleanup(server.Close)
	return server.URL, calls
}

// contacts returns the rules of enquiries of the office, with a webhook and, if
// it is given, a recipient of emails. It returns the secret of the webhook too.
func (o *office) contacts(t *testing.T, webhook, recipient string) (*contact.Service, string) {
	t.Helper()
	err := o.settings.SaveEmail(t.Context(), setting.EmailChange{Mode: models.ModeVirtual, Contact: recipient, Port: "587", TLS: models.TLSStartTLS}, "admin:1")
	if err != nil {
		t.Fatal(err)
	}
	secret, err := o.settings.SaveContact(t.Context(), setting.ContactChange{URL: webhook, KeepDays: "10", KeepSpamDays: "5", Challenge: "off"}, "admin:1")
	if err != nil {
		t.Fatal(err)
	}
	return contact.New(contact.Options{
		DB: o.pool, Keyring: o.deps.Keyring, Settings: o.settings.Saved(), Jobs: o.inserter, Mail: o.messages, Limiter: limit.New(o.pool, o.deps.Keyring), PublicURL: "https://portal.example.com",
	}), string(secret)
}

// enquire sends an enquiry as a person who was asked to send the form again.
func enquire(t *testing.T, s *contact.Service, n int) {
	t.Helper()
	stamp, err := s.Stamps.Next(t.Context(), "", true)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Submit(t.Context(), contact.Form{
		Organisation: "Lighthouse", Name: "Mira", Email: fmt.Sprintf("mira%d@example.com", n), Message: fmt.Sprintf("Enquiry number %d.", n), Consent: true, Stamp: stamp,
	}, fmt.Sprintf("192.0.2.%d", n))
	if err != nil {
		t.Fatal(err)
	}
}

// await waits until a statement returns a text.
func (o *office) await(t *testing.T, want, sql string) {
	t.Helper()
	got := ""
	for range 600 {
		if err := o.pool.QueryRow(t.Context(), sql).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("got %q, want %q", got, want)
}

// deliveryStates counts the deliveries of enquiries by kind and state.
const deliveryStates = `
	select coalesce(string_agg(x, ', ' order by x), '') from (
		select kind || ' ' || state || ' ' || count(*) as x from contact_deliveries group by kind, state) s`

func TestEnquiryIsDeliveredByEmailAndSignedWebhook(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	url, calls := crm(t, always(204))
	s, secret := o.contacts(t, url, "sales@example.com")
	o.work(t)
	enquire(t, s, 1)
	call := next(t, calls)
	var event struct {
		Type string
		Data map[string]any
	}
	if err := json.Unmarshal(call.body, &event); err != nil || event.Type != "contact.enquiry.created" || event.Data["email"] != "mira1@example.com" || event.Data["message"] != "Enquiry number 1." {
		t.Errorf("the webhook gets %s", call.body)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", call.header.Get("Webhook-Id"), call.header.Get("Webhook-Timestamp"), call.body)
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); call.header.Get("Webhook-Signature") != want {
		t.Errorf("the signature is %s, want %s", call.header.Get("Webhook-Signature"), want)
	}
	o.await(t, "sent sent", `select string_agg(state, ' ') from notifications where purpose like 'contact%'`)
	if _, err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.await(t, "email delivered 1, webhook delivered 1", deliveryStates)
}

// A webhook that is away is tried until it is back, and a worker that ends in
// the middle loses nothing. Every enquiry arrives, under one id however often.
func TestEveryEnquiryArrivesThoughReceiverAndWorkersEnd(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	const many = 20
	url, calls := crm(t, func(n int) int {
		if n <= 2*many {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	s, _ := o.contacts(t, url, "")
	for n := range many {
		enquire(t, s, n)
	}
	ids := map[string]bool{}
	deadline := time.Now().Add(90 * time.Second)
	for done := ""; done != "webhook delivered 20"; {
		worker := o.work(t)
		time.Sleep(200 * time.Millisecond)
		if err := worker.StopAndCancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		// Time passes.
		if _, err := o.pool.Exec(t.Context(), `update river.river_job set scheduled_at = now(), state = 'available' where kind = 'deliver_contact' and state in ('scheduled', 'retryable')`); err != nil {
			t.Fatal(err)
		}
		row := o.pool.QueryRow(t.Context(), `select string_agg(x, ', ') from (select kind || ' ' || state || ' ' || count(*) as x from contact_deliveries where kind = 'webhook' group by kind, state order by 1) s`)
		if err := row.Scan(&done); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatalf("in the end: %s", done)
		}
	}
	for len(calls) > 0 {
		ids[next(t, calls).header.Get("Webhook-Id")] = true
	}
	if len(ids) != many {
		t.Errorf("%d ids were posted, want %d", len(ids), many)
	}
}

func TestGoneWebhookEndsTheDelivery(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	url, _ := crm(t, always(http.StatusGone))
	s, _ := o.contacts(t, url, "")
	o.work(t)
	enquire(t, s, 1)
	o.await(t, "email waiting 1, webhook failed 1", deliveryStates)
	var problem string
	if err := o.pool.QueryRow(t.Context(), `select problem from contact_deliveries where kind = 'webhook'`).Scan(&problem); err != nil || !strings.Contains(problem, "410") {
		t.Errorf("the problem is %q, %v", problem, err)
	}
}

// An email waits for a recipient, and a webhook gets another job when its own was lost.
func TestSettleDeliversWhatWaits(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	url, calls := crm(t, always(200))
	s, _ := o.contacts(t, url, "")
	enquire(t, s, 1)
	o.await(t, "email waiting 1, webhook pending 1", deliveryStates)
	for _, sql := range []string{`delete from river.river_job`, `update contact_deliveries set queued_at = now() - interval '2 minutes'`} {
		if _, err := o.pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Settle(t.Context()); err != nil || n != 1 {
		t.Fatalf("settled %d, %v; want the webhook", n, err)
	}
	if n, err := s.Settle(t.Context()); err != nil || n != 0 {
		t.Fatalf("settled %d again, %v", n, err)
	}
	s, _ = o.contacts(t, url, "sales@example.com")
	if n, err := s.Settle(t.Context()); err != nil || n != 1 {
		t.Fatalf("settled %d, %v; want the email", n, err)
	}
	o.work(t)
	next(t, calls)
	o.await(t, "sent", `select state from notifications where purpose = 'contact'`)
	if _, err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.await(t, "email delivered 1, webhook delivered 1", deliveryStates)
}

// The job that looks after lost work looks after enquiries too.
func TestSettleWorkDeliversEnquiries(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	url, calls := crm(t, always(200))
	s, _ := o.contacts(t, url, "")
	enquire(t, s, 1)
	for _, sql := range []string{`delete from river.river_job`, `update contact_deliveries set queued_at = now() - interval '2 minutes'`} {
		if _, err := o.pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := o.inserter.Insert(t.Context(), args.SettleWork{}, nil); err != nil {
		t.Fatal(err)
	}
	o.work(t)
	next(t, calls)
	o.await(t, "email waiting 1, webhook delivered 1", deliveryStates)
}

// noPoster fails the test when something is posted.
type noPoster struct{ t *testing.T }

func (n noPoster) Post(_ context.Context, p contact.Post) contact.Posted {
	n.t.Errorf("an attempt begins: %+v", p)
	return contact.Posted{}
}

// beginsNothing checks that no attempt at the webhook of an enquiry begins.
func beginsNothing(t *testing.T, s *contact.Service, id uuid.UUID) {
	t.Helper()
	s.Poster = noPoster{t}
	again, err := s.Deliver(t.Context(), id, func(pgx.Tx) error { return errors.New("an attempt has ended") })
	if again != 0 || err != nil {
		t.Errorf("another attempt follows in %s, %v", again, err)
	}
}

// An enquiry that is erased while its webhook is posted is gone, and nothing
// fails.
func TestErasedEnquiryIsNotDelivered(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	url, _ := crm(t, always(200))
	s, _ := o.contacts(t, url, "")
	enquire(t, s, 1)
	var id uuid.UUID
	if err := o.pool.QueryRow(t.Context(), `delete from contact_enquiries returning id`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	o.work(t)
	o.await(t, "completed", `select state::text from river.river_job where kind = 'deliver_contact'`)
	beginsNothing(t, s, id)
}

// A job that runs again after its webhook was delivered posts nothing.
func TestDeliveredEnquiryIsNotPostedAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	url, calls := crm(t, always(200))
	s, _ := o.contacts(t, url, "")
	enquire(t, s, 1)
	o.work(t)
	next(t, calls)
	o.await(t, "email waiting 1, webhook delivered 1", deliveryStates)
	var id uuid.UUID
	if err := o.pool.QueryRow(t.Context(), `select id from contact_enquiries`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	beginsNothing(t, s, id)
}
