package notification_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/views/email"
)

// queue notes the jobs that it is given.
type queue struct{ kinds []string }

func (q *queue) InsertTx(_ context.Context, _ pgx.Tx, a river.JobArgs, _ *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	q.kinds = append(q.kinds, a.Kind())
	return nil, nil
}

func (q *queue) InsertManyFastTx(context.Context, pgx.Tx, []river.InsertManyParams) (int, error) {
	return 0, nil
}

type bundle struct {
	*notification.Service
	tx   pgx.Tx
	jobs *queue
}

func setup(t *testing.T) *bundle {
	t.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	b := &bundle{tx: dbtest.Tx(t), jobs: &queue{}}
	settings := setting.New(setting.Options{DB: b.tx, Listener: db.NewListener(nil), Keyring: keys})
	b.Service = notification.New(notification.Options{DB: b.tx, Keyring: keys, Settings: settings, Jobs: b.jobs})
	return b
}

func (b *bundle) exec(t *testing.T, sql string, values ...any) {
	t.Helper()
	if _, err := b.tx.Exec(t.Context(), sql, values...); err != nil {
		t.Fatal(err)
	}
}

func (b *bundle) text(t *testing.T, sql string, values ...any) (text string) {
	t.Helper()
	if err := b.tx.QueryRow(t.Context(), sql, values...).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

// email queues an email and returns its id.
func (b *bundle) email(t *testing.T, life time.Duration) uuid.UUID {
	t.Helper()
	err := b.SendEmail(t.Context(), b.tx, notification.Email{
		To: "asha@example.com", Message: email.PasswordLink("https://example.com/reset/tok3n-of-one-use", "", time.Hour), Purpose: "reset", ExpiresAt: time.Now().Add(life),
	})
	if err != nil {
		t.Fatal(err)
	}
	return uuid.MustParse(b.text(t, `select id::text from notifications order by id desc limit 1`))
}

func (b *bundle) begin(t *testing.T, id uuid.UUID) *models.Dispatch {
	t.Helper()
	d, err := b.Begin(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOnlyWhatWaitsIsSent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, change string
		begins       bool
		state        string
	}{
		{"queued", `select`, true, "queued"},
		{"sent", `update notifications set state = 'sent', finished_at = now()`, false, "sent"},
		{"failed", `update notifications set state = 'failed', finished_at = now()`, false, "failed"},
		{"cancelled", `update notifications set state = 'cancelled', finished_at = now()`, false, "cancelled"},
		{"expired", `update notifications set created_at = now() - interval '2 hours', expires_at = now() - interval '1 second'`, false, "expired"},
	} {
		b := setup(t)
		id := b.email(t, time.Hour)
		b.exec(t, tt.change)
		if d := b.begin(t, id); (d != nil) != tt.begins {
			t.Errorf("%s: dispatch %+v, want one: %v", tt.name, d, tt.begins)
		} else if d != nil && (!strings.Contains(d.Text, "https://example.com/reset/tok3n-of-one-use\n") || !strings.Contains(d.HTML, `href="https://example.com/reset/tok3n-of-one-use"`) || d.Recipient != "asha@example.com" || d.Subject != "Set a new password" || !d.Virtual()) {
			t.Errorf("%s: dispatch %+v", tt.name, d)
		}
		if got := b.text(t, `select state from notifications`); got != tt.state {
			t.Errorf("%s: the message is %s, want %s", tt.name, got, tt.state)
		}
	}
	b := setup(t)
	if d := b.begin(t, uuid.New()); d != nil {
		t.Errorf("a message that was deleted is sent: %+v", d)
	}
}

// What a provider answers decides whether a message ends, and when it is tried
// again; never after it has expired.
func TestAttemptsEndOrComeAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		attempt  models.NotificationAttempt
		earlier  int
		life     time.Duration
		again    time.Duration
		state    string
		readable bool
	}{
		{"accepted", models.NotificationAttempt{Outcome: models.OutcomeAccepted}, 0, time.Hour, 0, "sent", true},
		{"rejected", models.NotificationAttempt{Outcome: models.OutcomeRejected}, 0, time.Hour, 0, "failed", true},
		{"away", models.NotificationAttempt{Outcome: models.OutcomeUnavailable}, 0, time.Hour, 5 * time.Second, "queued", true},
		{"away again", models.NotificationAttempt{Outcome: models.OutcomeUnavailable}, 1, time.Hour, 30 * time.Second, "queued", true},
		{"away for long", models.NotificationAttempt{Outcome: models.OutcomeUnavailable}, 6, 3 * time.Hour, time.Hour, "queued", true},
		{"away for longer", models.NotificationAttempt{Outcome: models.OutcomeUnavailable}, 60, 3 * time.Hour, time.Hour, "queued", true},
		{"asks for a pause", models.NotificationAttempt{Outcome: models.OutcomeUnavailable, RetryAfter: 20 * time.Minute}, 0, time.Hour, 20 * time.Minute, "queued", true},
		{"asks for a shorter one than ours", models.NotificationAttempt{Outcome: models.OutcomeUnavailable, RetryAfter: time.Second}, 1, time.Hour, 30 * time.Second, "queued", true},
		{"asks for longer than it lives", models.NotificationAttempt{Outcome: models.OutcomeUnavailable, RetryAfter: 2 * time.Hour}, 0, time.Hour, 0, "expired", false},
		{"away until it expires", models.NotificationAttempt{Outcome: models.OutcomeUnavailable}, 6, time.Hour, 0, "expired", false},
	} {
		b := setup(t)
		id := b.email(t, tt.life)
		d := b.begin(t, id)
		d.Attempts = tt.earlier
		tt.attempt.NotificationID, tt.attempt.StartedAt, tt.attempt.Provider = id, time.Now(), "mail.example.com"
		tt.attempt.Answer = "250 queued https://example.com/reset/tok3n-of-one-use for Set"
		again, err := b.End(t.Context(), b.tx, *d, tt.attempt)
		if err != nil || again != tt.again {
			t.Errorf("%s: again in %s, %v; want %s", tt.name, again, err, tt.again)
		}
		state, readable := b.text(t, `select state from notifications`), b.text(t, `select (body is not null or html is not null)::text from notifications`)
		if state != tt.state || readable != fmt.Sprint(tt.readable) {
			t.Errorf("%s: the message is %s, readable %s; want %s, %v", tt.name, state, readable, tt.state, tt.readable)
		}
		// The answer is for administrators, the link in it is not.
		if got := b.text(t, `select answer from notification_attempts`); strings.Contains(got, "tok3n") || !strings.HasPrefix(got, "250 queued https://example.com/reset/•") {
			t.Errorf("%s: the stored answer is %q", tt.name, got)
		}
	}
}

func TestANewerMessageReplacesThoseThatWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	send := func(topic, code string) {
		t.Helper()
		m := notification.SMS{To: "+919812345678", Code: code, Purpose: "registration", Topic: topic, ExpiresAt: time.Now().Add(9*time.Minute + time.Second)}
		if err := b.SendSMS(t.Context(), b.tx, m); err != nil {
			t.Fatal(err)
		}
	}
	send("otp:1", "111111")
	send("otp:2", "222222")
	send("otp:1", "333333")
	if got := b.text(t, `select string_agg(topic || ' ' || state, ', ' order by id) from notifications`); got != "otp:1 cancelled, otp:2 queued, otp:1 queued" {
		t.Errorf("the messages are %s", got)
	}
	if err := b.Cancel(t.Context(), b.tx, "otp:2"); err != nil {
		t.Fatal(err)
	}
	if got := b.text(t, `select state from notifications where topic = 'otp:2'`); got != "cancelled" {
		t.Errorf("a cancelled message is %s", got)
	}
	id := uuid.MustParse(b.text(t, `select id::text from notifications where state = 'queued'`))
	if d := b.begin(t, id); d == nil || d.Text != "333333 is your Heliograph code, valid for 10 minutes. Do not share it with anyone." {
		t.Errorf("the SMS is %+v", d)
	}
	if got := strings.Join(b.jobs.kinds, " "); got != "send_sms send_sms send_sms" {
		t.Errorf("jobs: %s", got)
	}
}

// What is wrong from the start is an error of the program, and nothing is stored.
func TestBrokenMessagesAreNotQueued(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, m := range []notification.Email{
		{To: "asha@example.com", Message: email.Message{Subject: "Hello\r\nBcc: ravi@example.com"}, Purpose: "reset", ExpiresAt: time.Now().Add(time.Hour)},
		{To: "asha@example.com", Message: email.Message{Subject: "Hello\tworld"}, Purpose: "reset", ExpiresAt: time.Now().Add(time.Hour)},
		{To: "asha@example.com", Message: email.Message{Subject: "Hello"}, Purpose: "reset", ExpiresAt: time.Now()},
	} {
		if err := b.SendEmail(t.Context(), b.tx, m); err == nil || fault.As(err) != nil {
			t.Errorf("%q until %s: %v, want an internal error", m.Subject, m.ExpiresAt, err)
		}
	}
	if got := b.text(t, `select count(*)::text from notifications`); got != "0" || len(b.jobs.kinds) != 0 {
		t.Errorf("%s messages and jobs %v are stored", got, b.jobs.kinds)
	}
}

// The budget counts what waits, so that a burst does not queue more than the
// day has left.
func TestBudgetCountsWhatWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(t, `insert into settings (name, value) values ('sms', '{"mode": "virtual", "budget": 2}')`)
	send := func(n int) error {
		return b.SendSMS(t.Context(), b.tx, notification.SMS{
			To: "+919812345678", Code: "123456", Purpose: "registration", Topic: fmt.Sprint("otp:", n), ExpiresAt: time.Now().Add(time.Minute),
		})
	}
	for n := range 2 {
		if err := send(n); err != nil {
			t.Fatal(err)
		}
	}
	err := send(2)
	if f := fault.As(err); !fault.Is(err, fault.Unavailable) || f.Code != "sms_budget" || f.RetryAfter <= 0 || f.RetryAfter > 24*time.Hour {
		t.Errorf("beyond the budget: %v, want Unavailable until midnight", err)
	}
	budget, err := b.Budget(t.Context(), b.tx)
	if err != nil || budget != (notification.Budget{Used: 0, Waiting: 2, Limit: 2}) || budget.IsSpent() || budget.IsLow() {
		t.Errorf("budget = %+v, %v", budget, err)
	}
	for used, want := range map[int]string{79: "false false", 80: "true false", 99: "true false", 100: "true true", 101: "true true"} {
		budget := notification.Budget{Used: used, Limit: 100}
		if got := fmt.Sprint(budget.IsLow(), " ", budget.IsSpent()); got != want {
			t.Errorf("with %d of 100 used low and spent are %s, want %s", used, got, want)
		}
	}
}
