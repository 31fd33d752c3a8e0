package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/db"
)

func TestSMSIsSentOnceAndForgotten(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	g := newGateway(t, func(_ int, w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{"echo":"482913 is your code"}`) })
	o.saveSMS(t, setting.SMSChange{URL: g.url})
	if err := o.send(t, code("482913")); err != nil {
		t.Fatal(err)
	}
	o.hides(t, "482913", "planted-api-key-9")
	o.work(t)
	if diff := cmp.Diff([]string{"sms sent 1"}, o.settled(t)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	calls, _, _ := g.called()
	if len(calls) != 1 || calls[0].Get("text") != "482913 is your Heliograph code, valid for 10 minutes. Do not share it with anyone." || calls[0].Get("to") != "+919812345678" {
		t.Errorf("the provider got %v", calls)
	}
	if got := o.answers(t); got != "HTTP/1.1 200 OK\n{\"echo\":\"•••••• is your code\"}" {
		t.Errorf("the answer is stored as %q", got)
	}
	o.hides(t, "482913", "planted-api-key-9")
}

func TestSMSProviderFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		answer func(n int, w http.ResponseWriter, r *http.Request)
		life   time.Duration
		want   string
		calls  int // at least
		says   string
	}{
		{
			name: "breaks twice", life: time.Minute, want: "sms sent 3", calls: 3, says: "500 Internal Server Error\nout of order",
			answer: func(n int, w http.ResponseWriter, _ *http.Request) {
				if n < 3 {
					w.WriteHeader(500)
					io.WriteString(w, "out of order") //nolint:errcheck // a test's server
				}
			},
		},
		{
			name: "refuses", life: time.Minute, want: "sms failed 1", calls: 1, says: "400 Bad Request\nno such template",
			answer: func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(400)
				io.WriteString(w, "no such template") //nolint:errcheck // a test's server
			},
		},
		{
			name: "never recovers", life: 6 * time.Second, want: "sms expired 2", calls: 2, says: "503",
			answer: func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
		},
		{
			name: "never answers", life: 4 * time.Second, want: "sms expired 1", calls: 1, says: "did not answer in time",
			answer: func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			g := newGateway(t, tt.answer)
			o.saveSMS(t, setting.SMSChange{URL: g.url})
			m := code("482913")
			m.ExpiresAt = time.Now().Add(tt.life)
			if err := o.send(t, m); err != nil {
				t.Fatal(err)
			}
			o.work(t)
			if diff := cmp.Diff([]string{tt.want}, o.settled(t)); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			_, ids, at := g.called()
			for i := range ids {
				if ids[i] != ids[0] || ids[i] == "" || at[i].After(m.ExpiresAt) {
					t.Errorf("call %d is for %q at %v, the first for %q, expiry %v", i, ids[i], at[i], ids[0], m.ExpiresAt)
				}
			}
			if got := o.answers(t); len(ids) < tt.calls || !strings.Contains(got, tt.says) {
				t.Errorf("%d calls, answers\n%s\nwant %d with %q", len(ids), got, tt.calls, tt.says)
			}
			o.hides(t, "482913")
		})
	}
}

// A worker that dies between hand-over and commit leaves the message to the
// next, which sends it with the same id.
func TestSMSIsRepeatedWithItsID(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	handed := make(chan struct{}, 1)
	g := newGateway(t, func(n int, _ http.ResponseWriter, r *http.Request) {
		if n == 1 {
			handed <- struct{}{}
			<-r.Context().Done() // the worker is gone before it hears
		}
	})
	o.saveSMS(t, setting.SMSChange{URL: g.url})
	if err := o.send(t, code("482913")); err != nil {
		t.Fatal(err)
	}
	first := o.work(t)
	select {
	case <-handed:
	case <-time.After(20 * time.Second):
		t.Fatal("the provider was not called within 20 s")
	}
	if err := first.StopAndCancel(t.Context()); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	o.work(t)
	if diff := cmp.Diff([]string{"sms sent 1"}, o.settled(t)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if _, ids, _ := g.called(); len(ids) != 2 || ids[0] != ids[1] {
		t.Errorf("the provider was called for %v", ids)
	}
}

func TestSMSIsSupersededAndCancelled(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	g := newGateway(t, func(int, http.ResponseWriter, *http.Request) {})
	o.saveSMS(t, setting.SMSChange{URL: g.url})
	old, fresh, answered := code("111111"), code("222222"), code("333333")
	fresh.Topic = old.Topic
	if err := o.send(t, old, fresh, answered); err != nil {
		t.Fatal(err)
	}
	if err := db.InTx(t.Context(), o.pool, func(tx pgx.Tx) error { return o.messages.Cancel(t.Context(), tx, answered.Topic) }); err != nil {
		t.Fatal(err)
	}
	o.work(t)
	if diff := cmp.Diff([]string{"sms cancelled 0", "sms sent 1", "sms cancelled 0"}, o.settled(t)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if calls, _, _ := g.called(); len(calls) != 1 || !strings.HasPrefix(calls[0].Get("text"), "222222") {
		t.Errorf("the provider got %v", calls)
	}
}

// The budget limits queued SMS, alerts once, and refuses later ones.
func TestSMSBudget(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	if _, err := o.pool.Exec(t.Context(), `insert into admin_users (name, email, password_hash, role) values ('Asha', 'asha@example.com', '', 'super_admin')`); err != nil {
		t.Fatal(err)
	}
	g := newGateway(t, func(int, http.ResponseWriter, *http.Request) {})
	o.saveSMS(t, setting.SMSChange{URL: g.url, Budget: "5"})
	if err := o.send(t, code("100001"), code("100002"), code("100003"), code("100004"), code("100005")); err != nil {
		t.Fatal(err)
	}
	refused := func() {
		t.Helper()
		if err := o.send(t, code("100006")); !fault.Is(err, fault.Unavailable) || fault.As(err).RetryAfter <= 0 {
			t.Errorf("one more gives %v", err)
		}
	}
	refused()
	o.saveSMS(t, setting.SMSChange{URL: g.url, Budget: "3"})
	o.work(t)
	states := strings.Join(o.settled(t), ", ")
	if strings.Count(states, "sms sent 1") != 3 || strings.Count(states, "sms failed 1") != 2 || strings.Count(states, "email sent 1 readable") != 1 {
		t.Errorf("messages are %s", states)
	}
	if calls, _, _ := g.called(); len(calls) != 3 {
		t.Errorf("the provider was called %d times, want 3", len(calls))
	}
	refused()
	budget, err := o.messages.Budget(t.Context(), o.pool)
	if diff := cmp.Diff(notification.Budget{Used: 3, Limit: 3}, budget); diff != "" || err != nil || !budget.IsSpent() {
		t.Errorf("the budget (-want +got), %v:\n%s", err, diff)
	}
	o.saveSMS(t, setting.SMSChange{URL: g.url, Budget: "4"})
	if err := o.send(t, code("100007")); err != nil {
		t.Fatal(err)
	}
	if states := strings.Join(o.settled(t), ", "); strings.Count(states, "sms sent 1") != 4 || strings.Count(states, "email") != 1 {
		t.Errorf("after the budget was raised: %s", states)
	}
}

// Whoever of the workers takes the SMS that leaves a fifth of the budget, and
// the last one, tells administrators, and nobody else does.
func TestSMSBudgetIsToldOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	if _, err := o.pool.Exec(t.Context(), `insert into admin_users (name, email, password_hash, role) values ('Asha', 'asha@example.com', '', 'super_admin')`); err != nil {
		t.Fatal(err)
	}
	g := newGateway(t, func(int, http.ResponseWriter, *http.Request) {})
	o.saveSMS(t, setting.SMSChange{URL: g.url, Budget: "20"})
	var codes []notification.SMS
	for i := range 20 {
		m := code(fmt.Sprint(100_000 + i))
		m.Topic = "otp:challenge-" + m.Code
		codes = append(codes, m)
	}
	if err := o.send(t, codes...); err != nil {
		t.Fatal(err)
	}
	o.work(t)
	o.settled(t)
	var purposes string
	err := o.pool.QueryRow(t.Context(), `select string_agg(purpose || ' ' || subject, ', ' order by purpose) from notifications where kind = 'email'`).Scan(&purposes)
	today := time.Now().UTC().Format("2 January 2006")
	if want := "budget The SMS budget of " + today + " is used up, budget_low 16 of 20 SMS of " + today + " are used"; err != nil || purposes != want {
		t.Errorf("administrators get %q (%v), want %q", purposes, err, want)
	}
}

func TestSMSToPlacesThatAreNotAllowed(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.saveSMS(t, setting.SMSChange{URL: "http://127.0.0.1:9/"})
	m := code("482913")
	m.To = "+447700900123"
	if err := o.send(t, m); !fault.Is(err, fault.Invalid) {
		t.Errorf("sending to another country gives %v", err)
	}
}
