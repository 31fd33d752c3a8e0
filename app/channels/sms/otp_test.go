package sms_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/people/otp"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// inbox keeps the codes that were sent, or refuses them.
type inbox struct {
	mu      sync.Mutex
	sent    []sms.CodeSMS
	wrong   error // of the check
	refusal error
}

func (b *inbox) SendCode(_ context.Context, _ pgx.Tx, m sms.CodeSMS) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = append(b.sent, m)
	return b.refusal
}

func (b *inbox) CheckCode(context.Context, sms.CodeSMS) error { return b.wrong }

func (b *inbox) last() sms.CodeSMS { return b.sent[len(b.sent)-1] }

// otpBundle is an organisation that sends codes.
type otpBundle struct {
	*sms.OTPs
	*inbox
	t         *testing.T
	db        db.Beginner
	org       int64
	mayReturn bool
}

func newOTPs(t *testing.T, q db.Beginner) *otpBundle {
	t.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	b := &otpBundle{inbox: &inbox{}, t: t, db: q}
	b.org = identitytest.AddOrganisation(t, q, models.Organisation{Name: "Lighthouse"}, "asha@example.com")
	b.OTPs = sms.NewOTPs(sms.OTPOptions{
		DB: q, Keyring: keys, Limiter: limit.New(q, keys), Sender: b.inbox,
		MayReturn: func(context.Context, int64) (bool, error) { return b.mayReturn, nil },
	})
	return b
}

func (b *otpBundle) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.db.Exec(b.t.Context(), sql, args...); err != nil {
		b.t.Fatal(err)
	}
}

// later moves everything half a minute into the past.
func (b *otpBundle) later() {
	b.t.Helper()
	b.exec(`update sms_otps set sent_at = sent_at - interval '31 seconds', expires_at = expires_at - interval '31 seconds'`)
	b.exec(`delete from rate_limits where key like 'sms_otp_pause%'`)
}

func (b *otpBundle) generate() sms.OTPSent {
	b.t.Helper()
	sent, err := b.Generate(b.t.Context(), b.org, sms.OTPRequest{Sender: "LOGINS", Numbers: "919812345678", Message: "{otp} is your code for Lighthouse."})
	if err != nil {
		b.t.Fatal(err)
	}
	return sent
}

func (b *otpBundle) verify(id, code string) error {
	_, err := b.Verify(b.t.Context(), b.org, sms.OTPGuess{ID: id, Code: code})
	return err
}

// wrong returns a code that is not the given one.
func wrong(code string) string { return strings.Repeat(string('0'+(code[0]-'0'+1)%10), len(code)) }

func TestOTPIsSentAndVerifiedOnce(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	sent := b.generate()
	m := b.last()
	if sent.Mobile != "919812345678" || sent.ExpiresIn != 600 || sent.Code != "" || !strings.HasPrefix(sent.ID, "otp_") {
		t.Errorf("the answer is %+v", sent)
	}
	if m.To != "+919812345678" || m.Header != "LOGINS" || len(m.Code) != 6 || m.Text != "{otp} is your code for Lighthouse." || m.OrganisationID != b.org {
		t.Errorf("the SMS is %+v", m)
	}
	var leaked bool
	if err := b.db.QueryRow(t.Context(), `select o::text like '%' || $1 || '%' from (select id, message, hash::text from sms_otps) as o`, m.Code).Scan(&leaked); err != nil || leaked {
		t.Errorf("the code is stored: %t, %v", leaked, err)
	}
	if err := b.verify(sent.ID, wrong(m.Code)); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "Guesses left: 4.") {
		t.Errorf("a wrong code gives %v", err)
	}
	if _, err := b.Verify(t.Context(), b.org+1, sms.OTPGuess{ID: sent.ID, Code: m.Code}); !fault.Is(err, fault.NotFound) {
		t.Errorf("another organisation gets %v", err)
	}
	met, err := b.Verify(t.Context(), b.org, sms.OTPGuess{Numbers: "+919812345678", Sender: "logins", Code: m.Code[:3] + " " + m.Code[3:]})
	if err != nil || met.ID != sent.ID || met.Mobile != sent.Mobile {
		t.Errorf("the code gives %+v, %v", met, err)
	}
	if err := b.verify(sent.ID, m.Code); !fault.Is(err, fault.NotFound) {
		t.Errorf("the code once more gives %v", err)
	}
}

func TestFifthWrongGuessEndsTheChallenge(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	sent := b.generate()
	code := b.last().Code
	for i := range otp.Guesses {
		err := b.verify(sent.ID, wrong(code))
		if last := i == otp.Guesses-1; !fault.Is(err, fault.Invalid) || strings.Contains(err.Error(), "last guess") != last {
			t.Errorf("guess %d gives %v", i+1, err)
		}
	}
	if err := b.verify(sent.ID, code); !fault.Is(err, fault.NotFound) {
		t.Errorf("the right code afterwards gives %v", err)
	}
	b.later()
	if _, err := b.Resend(t.Context(), b.org, sent.ID, "", ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("a new code for it gives %v", err)
	}
}

// A code with another number of digits cannot be right, and says nothing about the right
// one. It is a slip of a finger and no guess.
func TestCodesOfAnotherLengthAreNoGuesses(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	sent := b.generate()
	code := b.last().Code
	for _, slip := range []string{code[:5], code + "0", "1", "", "abcdef", code[:5] + "x"} {
		for range otp.Guesses {
			if err := b.verify(sent.ID, slip); !fault.Is(err, fault.Invalid) || strings.Contains(err.Error(), "Guesses left") {
				t.Errorf("the code %q gives %v", slip, err)
			}
		}
	}
	if err := b.verify(sent.ID, code); err != nil {
		t.Errorf("the right code afterwards gives %v", err)
	}
}

// However many guess at once, at most five codes are compared, and the right one
// counts once.
func TestGuessesAtOnce(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Pool(t))
	sent := b.generate()
	code := b.last().Code
	var wg sync.WaitGroup
	var mu sync.Mutex
	met, refused := 0, 0
	for range 15 {
		wg.Go(func() {
			err := b.verify(sent.ID, code)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				met++
			} else if fault.Is(err, fault.NotFound) {
				refused++
			}
		})
	}
	wg.Wait()
	if met != 1 || refused != 14 {
		t.Errorf("%d met the challenge, %d were refused", met, refused)
	}
}

func TestResendVoidsTheOldCode(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	sent := b.generate()
	first := b.last().Code
	if _, err := b.Resend(t.Context(), b.org, sent.ID, "", ""); !fault.Is(err, fault.Invalid) || !strings.HasPrefix(err.Error(), "too soon") {
		t.Errorf("at once gives %v", err)
	}
	for i := range 3 {
		b.later()
		again, err := b.Resend(t.Context(), b.org, sent.ID, "", "")
		if err != nil || again.ID != sent.ID || again.ExpiresIn != 600 {
			t.Fatalf("new code %d gives %+v, %v", i+1, again, err)
		}
	}
	m := b.last()
	if m.Text != "{otp} is your code for Lighthouse." || len(b.sent) != 4 {
		t.Errorf("%d SMS, the last %+v", len(b.sent), m)
	}
	if m.Code != first {
		if err := b.verify(sent.ID, first); !fault.Is(err, fault.Invalid) {
			t.Errorf("the old code gives %v", err)
		}
	}
	b.later()
	if _, err := b.Resend(t.Context(), b.org, "", "LOGINS", "919812345678"); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "3 new codes") {
		t.Errorf("a fourth new code gives %v", err)
	}
	if err := b.verify(sent.ID, m.Code); err != nil {
		t.Errorf("the newest code gives %v", err)
	}
	for _, unknown := range [][3]string{{"otp_UNKNOWN"}, {"", "LOGINS", "919812345670"}, {"", "OTHERS", "919812345678"}} {
		if _, err := b.Resend(t.Context(), b.org, unknown[0], unknown[1], unknown[2]); !fault.Is(err, fault.NotFound) {
			t.Errorf("%v gives %v", unknown, err)
		}
	}
	if _, err := b.Resend(t.Context(), b.org, "", "LOGINS", ""); !fault.Is(err, fault.Invalid) {
		t.Errorf("a sender alone gives %v", err)
	}
}

func TestNewChallengeEndsTheOldOne(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	old, code := b.generate(), b.last().Code
	b.later()
	b.generate()
	if err := b.verify(old.ID, code); !fault.Is(err, fault.NotFound) {
		t.Errorf("the old challenge gives %v", err)
	}
	b.exec(`update sms_otps set expires_at = now()`)
	if _, err := b.Verify(t.Context(), b.org, sms.OTPGuess{Numbers: "919812345678", Code: b.last().Code}); !fault.Is(err, fault.NotFound) {
		t.Errorf("an expired code gives %v", err)
	}
}

func TestOTPRequestsAreChecked(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	good := sms.OTPRequest{Sender: "LOGINS", Numbers: "919812345678"}
	for want, change := range map[string]func(r *sms.OTPRequest){
		"sender is required":         func(r *sms.OTPRequest) { r.Sender = "" },
		"numbers is required":        func(r *sms.OTPRequest) { r.Numbers = "" },
		"numbers must be one number": func(r *sms.OTPRequest) { r.Numbers = "919812345678,919812345679" },
		"numbers is not a mobile":    func(r *sms.OTPRequest) { r.Numbers = "9812345678" },
		"message must contain {otp}": func(r *sms.OTPRequest) { r.Message = "Your code" },
		"message must have at most":  func(r *sms.OTPRequest) { r.Message = "{otp}" + strings.Repeat("x", 1000) },
		"otplength must be 4 to 9":   func(r *sms.OTPRequest) { r.Length = "3" },
		"otpexpiry must be 1 to":     func(r *sms.OTPRequest) { r.Expiry = "1441" },
		"returnotp must be Y or N":   func(r *sms.OTPRequest) { r.Return = "1" },
	} {
		r := good
		change(&r)
		if _, err := b.Generate(t.Context(), b.org, r); !fault.Is(err, fault.Invalid) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	r := good
	r.Return = "y"
	if _, err := b.Generate(t.Context(), b.org, r); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an account that may not have its codes gets %v", err)
	}
	b.mayReturn = true
	r.Length, r.Expiry, r.Message = "9", "1440", "Code ##OTP##"
	sent, err := b.Generate(t.Context(), b.org, r)
	if m := b.last(); err != nil || len(sent.Code) != 9 || sent.Code != m.Code || sent.ExpiresIn != 86400 || m.Text != "Code {otp}" {
		t.Errorf("%+v, %v", sent, err)
	}
	good.Numbers = "919812345670"
	if _, err := b.Generate(t.Context(), b.org, good); err != nil || b.last().Text != "{otp} is your code. It is valid for 10 minutes." {
		t.Errorf("the text without one is %q, %v", b.last().Text, err)
	}
}

// A refused SMS leaves no challenge, so the code before it still works.
func TestRefusedSMSLeavesNoChallenge(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	sent, code := b.generate(), b.last().Code
	b.later()
	b.refusal = fault.New(fault.Invalid, "Invalid header")
	if _, err := b.Generate(t.Context(), b.org, sms.OTPRequest{Sender: "LOGINS", Numbers: "919812345678"}); err != b.refusal {
		t.Errorf("a refusal gives %v", err)
	}
	if err := b.verify(sent.ID, code); err != nil {
		t.Errorf("the code before it gives %v", err)
	}
}

// A request that cannot be sent does not use up the next half minute.
func TestWrongRequestsDoNotCount(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	b.wrong = fault.New(fault.Invalid, "Invalid header")
	for range 3 {
		if _, err := b.Generate(t.Context(), b.org, sms.OTPRequest{Sender: "LOGINS", Numbers: "919812345678"}); err != b.wrong {
			t.Errorf("a wrong header gives %v", err)
		}
	}
	b.wrong = nil
	b.generate()
}

func TestOTPLimits(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	try := func() error {
		_, err := b.Generate(t.Context(), b.org, sms.OTPRequest{Sender: "LOGINS", Numbers: "919812345678"})
		return err
	}
	for name, most := range map[string]int{"": 1, "sms_otp_pause": 5, "sms_otp_pause|sms_otp_number:": 10} {
		b.exec(`delete from rate_limits`)
		passed := 0
		for range most + 1 {
			if name != "" {
				b.exec(`delete from rate_limits where key ~ $1`, "^("+name+")")
			}
			if err := try(); err == nil {
				passed++
			} else if f := fault.As(err); f == nil || f.Kind != fault.Limited || f.RetryAfter <= 0 {
				t.Errorf("%v", err)
			}
		}
		if passed != most {
			t.Errorf("without %q %d codes were sent, want %d", name, passed, most)
		}
	}
	b.exec(`delete from rate_limits`)
	sent := b.generate()
	for range 20 {
		b.exec(`update sms_otps set attempts = 0, consumed_at = null where id = $1`, sent.ID)
		if err := b.verify(sent.ID, wrong(b.last().Code)); !fault.Is(err, fault.Invalid) {
			t.Fatalf("a guess gives %v", err)
		}
	}
	if err := b.verify(sent.ID, b.last().Code); !fault.Is(err, fault.Limited) {
		t.Errorf("the 21st guess at a number gives %v", err)
	}
}

// Codes to a block of numbers that nobody enters are held back for the
// organisation that sends them, and for no other.
func TestCodesThatNobodyEntersAreHeldBack(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	insert := func(n int, returned bool) {
		b.exec(`
			insert into sms_otps (id, organisation_id, phone, header, message, digits, life_seconds, hash, returned, sent_at, expires_at, consumed_at)
			select 'otp_' || translate(lpad(n::text, 26, '0'), '0189', 'ABCD'), $1, '+9198123' || lpad(n::text, 5, '0'), 'LOGINS', '{otp}', 6, 600, sha256(''), $2, now() - interval '5 minutes', now() + interval '5 minutes', now()
			from generate_series(1, $3::integer) as n`, b.org, returned, n)
	}
	try := func(org int64) error {
		b.exec(`delete from rate_limits`)
		_, err := b.Generate(t.Context(), org, sms.OTPRequest{Sender: "LOGINS", Numbers: "919812377777"})
		return err
	}
	insert(otp.Sample, true)
	if err := try(b.org); err != nil {
		t.Errorf("codes that the organisation checks itself give %v", err)
	}
	b.exec(`delete from sms_otps`)
	insert(otp.Sample, false)
	for range 2 {
		if f := fault.As(try(b.org)); f == nil || f.Code != "otp_conversion" || f.RetryAfter <= 0 {
			t.Errorf("codes that nobody enters give %v", f)
		}
	}
	var entries int
	if err := b.db.QueryRow(t.Context(), `select count(*) from audit_entries where action = 'sms_otp.hold_back' and target = 'phone_prefix:+919812'`).Scan(&entries); err != nil || entries != 1 {
		t.Errorf("%d entries in the audit, %v", entries, err)
	}
	other := identitytest.AddOrganisation(t, b.db, models.Organisation{Name: "Ferry"}, "ravi@example.com")
	if err := try(other); err != nil {
		t.Errorf("another organisation gets %v", fmt.Sprint(err))
	}
}

// The numbers of a prefix get 50 codes of an organisation at once, from the first code
// on: before it is known how many are entered.
func TestCodesToAPrefixAreBounded(t *testing.T) {
	t.Parallel()
	b := newOTPs(t, dbtest.Tx(t))
	sent := 0
	for i := range 70 {
		_, err := b.Generate(t.Context(), b.org, sms.OTPRequest{Sender: "LOGINS", Numbers: fmt.Sprintf("9176540000%02d", i), Message: "{otp} is your code."})
		if err == nil {
			sent++
		} else if !fault.Is(err, fault.Limited) || fault.As(err).RetryAfter == 0 {
			t.Fatalf("code %d: %v", i, err)
		}
	}
	if sent < 50 || sent > 60 { // some come free while the test runs
		t.Errorf("%d of 70 codes to one prefix are sent at once, want 50", sent)
	}
	if _, err := b.Generate(t.Context(), b.org, sms.OTPRequest{Sender: "LOGINS", Numbers: "919812345678", Message: "{otp} is your code."}); err != nil {
		t.Errorf("a code to another prefix: %v", err)
	}
}
