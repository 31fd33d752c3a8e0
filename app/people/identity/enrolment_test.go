package identity

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/app/people/otp"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// queue remembers which jobs were inserted.
type queue struct{ kinds []string }

func (q *queue) InsertTx(_ context.Context, _ pgx.Tx, args river.JobArgs, _ *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	q.kinds = append(q.kinds, args.Kind())
	return nil, nil
}

func (q *queue) InsertManyFastTx(context.Context, pgx.Tx, []river.InsertManyParams) (int, error) {
	return 0, errors.New("no enrolment inserts many jobs")
}

// bench is an enrolment over a database.
type bench struct {
	*Enrolment
	t  testing.TB
	db db.Beginner
}

func newBench(t testing.TB, b db.Beginner) *bench {
	t.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	settings := setting.New(setting.Options{DB: b, Listener: db.NewListener(nil), Keyring: keys})
	return &bench{t: t, db: b, Enrolment: &Enrolment{
		DB: b, Keyring: keys, Limiter: limit.New(b, keys),
		Notifications: notification.New(notification.Options{DB: b, Keyring: keys, Settings: settings, Jobs: &queue{}}),
		Provision:     func(context.Context, pgx.Tx, int64, string) error { return nil },
		PublicURL:     "https://docs.example.com",
	}}
}

func (b *bench) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.db.Exec(b.t.Context(), sql, args...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) count(sql string, args ...any) (n int) {
	b.t.Helper()
	if err := b.db.QueryRow(b.t.Context(), sql, args...).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

var visitor = Visitor{Client: "192.0.2.1", UserAgent: "test"}

func registration(n int) Registration {
	return Registration{
		Organisation: "Lighthouse", Email: fmt.Sprintf("asha%d@example.com", n), Mobile: fmt.Sprintf("+91 98123 %05d", n),
		Password: goodPassword, Confirmation: goodPassword,
	}
}

// register registers somebody and lifts the limits that it used.
func (b *bench) register(n int) Challenge {
	b.t.Helper()
	c, err := b.Register(b.t.Context(), registration(n), visitor)
	if err != nil {
		b.t.Fatal(err)
	}
	b.exec(`delete from rate_limits`)
	return *c
}

// code sends the code of a challenge and reads it from the SMS.
func (b *bench) code(c Challenge) string {
	b.t.Helper()
	if err := b.SendCode(b.t.Context(), c.ID); err != nil {
		b.t.Fatal(err)
	}
	var id uuid.UUID
	var sealed []byte
	err := b.db.QueryRow(b.t.Context(), `
		select n.id, n.body from notifications n join otp_challenges c on n.topic = 'otp:' || c.user_id
		where c.id = $1 order by n.id desc limit 1`, c.ID).Scan(&id, &sealed)
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := b.Keyring.Open(sealed, keyring.Place("notifications", "body", id))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text[:codeDigits])
}

// wrongCode reports whether an error is the answer to a code that opens nothing.
func wrongCode(err error) bool {
	f := fault.As(err)
	ends := []string{errCode.Fields[0].Message}
	for _, end := range codeEnds {
		ends = append(ends, fault.As(end).Fields[0].Message)
	}
	return f != nil && f.Kind == fault.Invalid && len(f.Fields) == 1 && slices.Contains(ends, f.Fields[0].Message)
}

func different(code string) string {
	return string([]byte{'0' + (code[0]-'0'+1)%10}) + code[1:]
}

// Of a thousand parallel guesses five are compared, whichever they are, and
// the right code opens at most one session.
func TestGuessesInParallel(t *testing.T) {
	t.Parallel()
	for _, right := range []int{0, 1000} { // how many of the guesses are right
		pool := dbtest.Pool(t)
		b := newBench(t, pool)
		c := b.register(1)
		code := b.code(c)
		guess := different(code)
		if right > 0 {
			guess = code
		}
		var compared, opened, refused atomic.Int64
		b.compare = func(stored, given []byte) bool {
			compared.Add(1)
			return hmac.Equal(stored, given)
		}
		var wg sync.WaitGroup
		for i := range 1000 {
			wg.Go(func() {
				_, err := b.Verify(t.Context(), c, guess, Visitor{Client: fmt.Sprint("client ", i)})
				for fault.Is(err, fault.Unavailable) { // the limit could not be counted in time
					_, err = b.Verify(t.Context(), c, guess, Visitor{Client: fmt.Sprint("client ", i)})
				}
				switch {
				case err == nil:
					opened.Add(1)
				case wrongCode(err):
					refused.Add(1)
				default:
					t.Errorf("guess %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		want := int64(min(right, 1))
		if n := compared.Load(); n < 1 || n > otp.Guesses || right == 0 && n != otp.Guesses {
			t.Errorf("%d guesses were compared", n)
		}
		if opened.Load() != want || opened.Load()+refused.Load() != 1000 {
			t.Errorf("%d guesses opened a session and %d were refused", opened.Load(), refused.Load())
		}
		if n := b.count(`select count(*) from otp_challenges where attempts > 5 or consumed_at is null`); n != 0 {
			t.Error("the challenge is still open")
		}
		if n := b.count(`select count(*) from sessions`); int64(n) != want {
			t.Errorf("%d sessions", n)
		}
	}
}

func TestFifthWrongGuessConsumes(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	c := b.register(1)
	code := b.code(c)
	if _, err := b.Verify(t.Context(), c, "12345", visitor); wrongCode(err) || !fault.Is(err, fault.Invalid) {
		t.Errorf("five digits give %v", err)
	}
	for range otp.Guesses {
		if _, err := b.Verify(t.Context(), c, different(code), visitor); !wrongCode(err) {
			t.Errorf("a wrong code gives %v", err)
		}
	}
	if _, err := b.Verify(t.Context(), c, code, visitor); !wrongCode(err) {
		t.Errorf("the right code after five wrong ones gives %v", err)
	}
	if n := b.count(`select count(*) from otp_challenges where attempts = 5 and consumed_at is not null and verified_at is null`); n != 1 {
		t.Error("the challenge is not consumed")
	}
}

func TestCodeFitsItsChallengeAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	first, second := b.register(1), b.register(2)
	code := b.code(first)
	b.code(second)
	b.exec(`update otp_challenges set hash = (select hash from otp_challenges where id = $1) where id = $2`, first.ID, second.ID)
	if _, err := b.Verify(t.Context(), second, code, visitor); !wrongCode(err) {
		t.Errorf("a hash that was moved gives %v", err)
	}
	moved := first
	moved.Purpose = ForRecovery
	reset := NewPassword{Code: code, Password: "eight bold wrens sing", Confirmation: "eight bold wrens sing"}
	if _, err := b.Reset(t.Context(), moved, reset, visitor); !wrongCode(err) {
		t.Errorf("the code of a registration resets a password: %v", err)
	}
	if _, err := b.Verify(t.Context(), first, code, visitor); err != nil {
		t.Errorf("the code gives %v", err)
	}
	if _, err := b.Verify(t.Context(), first, code, visitor); !wrongCode(err) {
		t.Errorf("the code once more gives %v", err)
	}
}

func TestCodeExpires(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	for _, tt := range []struct {
		n    int
		age  time.Duration
		open bool
	}{{1, codeLife - time.Second, true}, {2, codeLife, false}} {
		c := b.register(tt.n)
		code := b.code(c)
		b.exec(`update otp_challenges set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval where id = $1`, c.ID, tt.age)
		_, err := b.Verify(t.Context(), c, code, visitor)
		if (err == nil) != tt.open || err != nil && !wrongCode(err) {
			t.Errorf("after %s the code gives %v", tt.age, err)
		}
	}
}

func TestANewCodeReplacesTheOld(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	first := b.register(1)
	old := b.code(first)
	if _, err := b.Resend(t.Context(), first, visitor); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Resend(t.Context(), first, visitor); !fault.Is(err, fault.Limited) || fault.As(err).RetryAfter != codePause {
		t.Errorf("another code at once gives %v", err)
	}
	if _, err := b.Verify(t.Context(), first, old, visitor); !wrongCode(err) {
		t.Errorf("the old code gives %v", err)
	}
	b.exec(`delete from rate_limits`)
	// Registering again is the way back from a wrong number.
	again := registration(1)
	again.Mobile, again.Password, again.Confirmation = "+91 98123 99999", "eight bold wrens sing", "eight bold wrens sing"
	c, err := b.Register(t.Context(), again, visitor)
	if err != nil {
		t.Fatal(err)
	}
	if n := b.count(`select count(*) from otp_challenges where consumed_at is null`); n != 1 {
		t.Errorf("%d challenges are open", n)
	}
	if n := b.count(`select count(*) from organisations`); n != 1 {
		t.Errorf("%d organisations", n)
	}
	session, err := b.Verify(t.Context(), *c, b.code(*c), visitor)
	if err != nil {
		t.Fatal(err)
	}
	user, err := New(b.db, Notifier{}).Resume(t.Context(), *session)
	if err != nil || user.Role != Owner || user.Organisation != "Lighthouse" {
		t.Errorf("the session is of %+v, %v", user, err)
	}
	if n := b.count(`select count(*) from organisation_users where mobile = '+919812399999' and active`); n != 1 {
		t.Error("the new number is not the owner's")
	}
}

// Limits are the specification's: how many attempts pass, and which key each one counts for.
func TestEnrolmentLimits(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	tests := []struct {
		name string
		max  int
		lift string // other limits that would come first
		try  func(i int) error
	}{
		{"registration per client", 5, "otp", func(i int) error {
			_, err := b.Register(t.Context(), registration(i), visitor)
			return err
		}},
		{"codes per number", 5, "otp_pause,otp_client,registration", func(i int) error {
			_, err := b.Register(t.Context(), registration(7), visitor)
			return err
		}},
		{"codes per number and day", 10, "otp_pause,otp_client,registration,otp_number:", func(i int) error {
			_, err := b.Register(t.Context(), registration(8), visitor)
			return err
		}},
		{"codes per prefix", 50, "otp_pause,otp_client,registration", func(i int) error {
			return b.takeNumberLimits(t.Context(), fmt.Sprintf("+9198123%05d", i))
		}},
		{"codes per client", 20, "registration", func(i int) error {
			r := registration(i)
			r.Mobile = fmt.Sprintf("+9198%03d55555", i)
			_, err := b.Register(t.Context(), r, visitor)
			return err
		}},
		{"resets per account", 3, "reset_pause", func(i int) error {
			_, err := b.Recover(t.Context(), "Nobody@example.com", visitor)
			return err
		}},
		{"resets per client", 10, "", func(i int) error {
			_, err := b.Recover(t.Context(), fmt.Sprintf("nobody%d@example.com", i), visitor)
			return err
		}},
		{"guesses per client", 20, "", func(i int) error {
			_, err := b.Verify(t.Context(), Challenge{ID: uuid.New(), Purpose: ForRegistration}, "123456", visitor)
			if wrongCode(err) {
				return nil
			}
			return err
		}},
	}
	for _, tt := range tests {
		b.exec(`delete from rate_limits`)
		passed := 0
		for i := range tt.max + 1 {
			for prefix := range strings.SplitSeq(tt.lift, ",") {
				if prefix != "" {
					b.exec(`delete from rate_limits where key like $1 || '%'`, prefix)
				}
			}
			err := tt.try(i)
			if err == nil {
				passed++
			} else if f := fault.As(err); f == nil || f.Kind != fault.Limited || f.RetryAfter <= 0 {
				t.Fatalf("%s: try %d gives %v", tt.name, i+1, err)
			}
		}
		if passed != tt.max {
			t.Errorf("%s: %d passed, want %d", tt.name, passed, tt.max)
		}
	}
}

// A recovery to a number that had too many codes, or that is not allowed any
// more, sends nothing and says nothing.
func TestRecoveryIsQuiet(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	c := b.register(1)
	if _, err := b.Verify(t.Context(), c, b.code(c), visitor); err != nil {
		t.Fatal(err)
	}
	sent := func() int { return b.count(`select count(*) from notifications where purpose = 'recovery'`) }
	for range codesByNumber[1].Burst {
		b.exec(`delete from rate_limits where key not like 'otp_number%'`)
		if err := b.takeNumberLimits(t.Context(), c.Phone); err != nil {
			t.Fatal(err)
		}
	}
	b.exec(`delete from rate_limits where key not like 'otp_number%'`)
	r, err := b.Recover(t.Context(), c.Email, visitor)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SendCode(t.Context(), r.ID); err != nil || sent() != 0 {
		t.Errorf("a number with too many codes got %d, %v", sent(), err)
	}
	b.exec(`delete from rate_limits`)
	if err := b.SendCode(t.Context(), r.ID); err != nil || sent() != 1 {
		t.Errorf("%d codes were sent, %v", sent(), err)
	}
	if err := b.SendCode(t.Context(), r.ID); err != nil || sent() != 1 {
		t.Errorf("sending twice sent %d codes, %v", sent(), err)
	}
	for _, gone := range []string{`update organisation_users set active = false`, `update organisation_users set active = true, mobile = null`} {
		b.exec(`delete from rate_limits`)
		b.exec(gone)
		r, err := b.Recover(t.Context(), c.Email, visitor)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.SendCode(t.Context(), r.ID); err != nil || sent() != 1 {
			t.Errorf("after %s %d codes were sent, %v", gone, sent(), err)
		}
	}
}

// A code that ended says why, as far as the browser that asked for it may know. A
// challenge of nobody and one that was replaced elsewhere answer alike.
func TestEndedCodesSayWhy(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	says := func(c Challenge, code, want string) {
		t.Helper()
		_, err := b.Verify(t.Context(), c, code, visitor)
		if f := fault.As(err); f == nil || len(f.Fields) != 1 || !strings.HasPrefix(f.Fields[0].Message, want) {
			t.Errorf("the code gives %v, want %q", err, want)
		}
	}
	used := b.register(1)
	code := b.code(used)
	if _, err := b.Verify(t.Context(), used, code, visitor); err != nil {
		t.Fatal(err)
	}
	says(used, code, "This code was already used.")

	guessed := b.register(2)
	code = b.code(guessed)
	for range 4 {
		says(guessed, different(code), "This code is wrong")
	}
	says(guessed, different(code), "Too many wrong codes")
	says(guessed, code, "Too many wrong codes")

	expired := b.register(3)
	code = b.code(expired)
	b.exec(`update otp_challenges set created_at = now() - '2 hours'::interval, expires_at = now() - '1 hour'::interval where id = $1`, expired.ID)
	says(expired, code, "This code has expired.")

	b.exec(`delete from rate_limits`)
	replaced, err := b.Recover(t.Context(), "asha1@example.com", visitor)
	if err != nil {
		t.Fatal(err)
	}
	b.exec(`delete from rate_limits`)
	if _, err := b.Recover(t.Context(), "asha1@example.com", visitor); err != nil {
		t.Fatal(err)
	}
	b.exec(`delete from rate_limits`)
	nobody, err := b.Recover(t.Context(), "nobody@example.com", visitor)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Challenge{replaced, nobody} {
		for n := range 6 {
			b.exec(`delete from rate_limits`)
			_, err := b.checkCode(t.Context(), *c, "123456", visitor)
			want := errCode.Fields[0].Message
			if n >= 4 {
				want = "Too many wrong codes were entered, so this code no longer works. Request a new code."
			}
			if f := fault.As(err); f == nil || f.Fields[0].Message != want {
				t.Errorf("guess %d at a challenge gives %v, want %s", n, err, want)
			}
		}
	}
}
