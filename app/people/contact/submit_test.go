package contact_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/app/people/contact"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

func TestWhatAProgramSendsIsAskedForAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		shown        time.Duration // ago
		trap         string
		again, twice bool // trap filled in again
		want         string
	}{
		{name: "a person", shown: time.Minute, want: "new"},
		{name: "autofill at once", shown: -time.Minute, again: true, want: "new"},
		{name: "trap filled in by a password manager", shown: time.Minute, trap: "x", again: true, want: "new"},
		{name: "trap filled in twice", shown: time.Minute, trap: "x", again: true, twice: true, want: "spam"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			f := valid()
			f.Trap, f.Stamp = c.trap, d.contacts.StampAt(time.Now().Add(-c.shown), time.Now().Add(-c.shown), 0, false)
			_, err := d.contacts.Submit(t.Context(), f, "192.0.2.1")
			if asked := fault.As(err) != nil && fault.As(err).Code == contact.AskedAgain; asked != c.again {
				t.Fatalf("the first time gives %v", err)
			}
			if c.again {
				if f.Stamp, err = d.contacts.Stamps.Next(t.Context(), f.Stamp, true); err != nil {
					t.Fatal(err)
				}
				if !c.twice {
					f.Trap = ""
				}
				if _, err = d.contacts.Submit(t.Context(), f, "192.0.2.1"); err != nil {
					t.Fatalf("the second time gives %v", err)
				}
			}
			e := d.only(t)
			if e.Status != c.want {
				t.Errorf("the enquiry is %s, want %s", e.Status, c.want)
			}
			if want := map[string]string{"new": "email waiting", "spam": "none"}[c.want]; d.deliveries(t, e.ID) != want {
				t.Errorf("deliveries: %s, want %s", d.deliveries(t, e.ID), want)
			}
		})
	}
}

// flip returns another character of base64.
func flip(c byte) string {
	if c == 'A' {
		return "B"
	}
	return "A"
}

// A stamp cannot be made, changed, kept for a day or used twice.
func TestStamps(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	good := d.contacts.StampAt(time.Now().Add(-time.Hour), time.Now().Add(-time.Hour), 0, false)
	for name, stamp := range map[string]string{
		"none": "", "words": "stamp", "without a signature": strings.Split(good, ".")[0], "changed": good[:1] + flip(good[1]) + good[2:], "of another day": d.contacts.StampAt(time.Now().Add(-13*time.Hour), time.Now().Add(-13*time.Hour), 0, false),
	} {
		f := valid()
		f.Stamp = stamp
		if _, err := d.contacts.Submit(t.Context(), f, "192.0.2.1"); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s gives %v", name, err)
		}
	}
	f := valid()
	f.Stamp = good
	if _, err := d.contacts.Submit(t.Context(), f, "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	f.Message = "Something else altogether, by a program."
	if _, err := d.contacts.Submit(t.Context(), f, "192.0.2.1"); !fault.Is(err, fault.Invalid) {
		t.Errorf("the stamp used twice gives %v", err)
	}
	if n := d.count(t, "contact_enquiries"); n != 1 {
		t.Errorf("%d enquiries are stored", n)
	}
}

func TestTheSameWordsAreOneEnquiry(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	d := newDeskOn(t, pool)
	receipts := make([]contact.Receipt, 20)
	var wg sync.WaitGroup
	for i := range receipts {
		wg.Go(func() {
			f := valid()
			f.Message = strings.Repeat(" ", i%3) + "what does GOING live take?\r\n"
			f.Name = fmt.Sprintf("Mira %c", 'A'+i) // as typed another time
			var err error
			if receipts[i], err = d.contacts.Submit(t.Context(), d.stamped(f), fmt.Sprintf("192.0.2.%d", i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	e := d.only(t)
	for _, r := range receipts {
		if r.Reference != e.Reference || r.Confirm {
			t.Errorf("a receipt is %+v, want %s", r, e.Reference)
		}
	}
	if e.Repeats != 19 {
		t.Errorf("%d repeats are counted", e.Repeats)
	}
	if n := d.text(t, `select count(*)::text from notifications where purpose = 'contact_thanks'`); n != "1" {
		t.Errorf("%s emails thank the sender", n)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	limited := 0
	for i := range 12 {
		f := valid()
		f.Message = fmt.Sprintf("Enquiry number %d of this hour.", i)
		_, err := d.contacts.Submit(t.Context(), d.stamped(f), "192.0.2.1")
		if fault.Is(err, fault.Limited) {
			limited++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if limited != 7 {
		t.Errorf("%d of 12 submissions of one address are refused, want 7", limited)
	}
	if n := d.text(t, `select count(*)::text from notifications where recipient = 'mira@example.com'`); n != "3" {
		t.Errorf("the address that was entered gets %s emails, want 3", n)
	}
}

// solve computes the proof of work as a browser does.
func solve(stamp string, work int) string { return solveFrom(0, stamp, work) }

// solveFrom is solve, for somebody who tries the numbers from n on.
func solveFrom(n uint64, stamp string, work int) string {
	for ; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s:%d", stamp, n))
		if bits.LeadingZeros64(binary.BigEndian.Uint64(sum[:8])) >= work {
			return fmt.Sprint(n)
		}
	}
}

func TestProofOfWork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		proof func(stamp string) string
		want  string
	}{
		"solved":          {func(stamp string) string { return solve(stamp, 10) }, models.EnquiryNew},
		"of 20 digits":    {func(stamp string) string { return solveFrom(10_000_000_000_000_000_000, stamp, 10) }, models.EnquiryNew},
		"without script":  {func(string) string { return "" }, models.EnquiryUnconfirmed},
		"of another form": {func(stamp string) string { return solve("x"+stamp, 10) + "9" }, models.EnquiryUnconfirmed},
		"nonsense":        {func(string) string { return "-" }, models.EnquiryUnconfirmed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			f := valid()
			f.Stamp = d.contacts.StampAt(time.Now().Add(-time.Minute), time.Now().Add(-time.Minute), 10, false)
			f.Proof = c.proof(f.Stamp)
			r, err := d.contacts.Submit(t.Context(), f, "192.0.2.1")
			if err != nil {
				t.Fatal(err)
			}
			if e := d.only(t); e.Status != c.want || r.Confirm != (c.want == models.EnquiryUnconfirmed) {
				t.Errorf("the enquiry is %s and the receipt %+v", e.Status, r)
			}
		})
	}
}

// The setting decides when forms ask for work; "busy" does when many came.
func TestWorkIsAskedForWhenItIsBusy(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asks := func() bool {
		t.Helper()
		stamp, err := d.contacts.Stamps.New(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return d.contacts.Stamps.WorkOf(stamp) > 0
	}
	set := func(challenge string) {
		t.Helper()
		if _, err := d.settings.SaveContact(t.Context(), setting.ContactChange{KeepDays: "10", KeepSpamDays: "5", Challenge: challenge}, "admin:1"); err != nil {
			t.Fatal(err)
		}
	}
	if asks() {
		t.Error("a quiet form asks for work")
	}
	set("on")
	if !asks() {
		t.Error("with the setting on, a form asks for no work")
	}
	set("busy")
	for i := range 21 {
		f := valid()
		f.Message = fmt.Sprintf("Enquiry number %d, please answer.", i)
		if _, err := d.contacts.Submit(t.Context(), d.stamped(f), fmt.Sprintf("192.0.2.%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if !asks() {
		t.Error("a busy form asks for no work")
	}
	set("off")
	if asks() {
		t.Error("with the setting off, a form asks for work")
	}
}

func TestAnUnconfirmedEnquiryIsDeliveredOnceItIsConfirmed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	f := valid()
	f.Stamp = d.contacts.StampAt(time.Now().Add(-time.Minute), time.Now().Add(-time.Minute), 10, false)
	if _, err := d.contacts.Submit(t.Context(), f, "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	e := d.only(t)
	if got := d.deliveries(t, e.ID); got != "none" {
		t.Fatalf("before: %s", got)
	}
	token := d.contacts.ConfirmToken(e.ID)
	for _, wrong := range []string{"", "x", e.ID.String(), token + "x", strings.Replace(token, e.ID.String(), "0193a1b2-0000-7000-8000-000000000000", 1)} {
		if _, err := d.contacts.Confirm(t.Context(), wrong); !fault.Is(err, fault.Invalid) {
			t.Errorf("the token %q gives %v", wrong, err)
		}
	}
	for range 2 { // a link may be opened twice
		if _, err := d.contacts.Confirm(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
	if got := d.deliveries(t, e.ID); got != "email waiting" || d.only(t).Status != models.EnquiryNew {
		t.Errorf("after: %s, %s", got, d.only(t).Status)
	}
	if _, err := d.db.Exec(t.Context(), `update contact_enquiries set created_at = now() - interval '8 days'`); err != nil {
		t.Fatal(err)
	}
	if _, err := d.contacts.Confirm(t.Context(), token); !fault.Is(err, fault.Invalid) {
		t.Errorf("a week later the link gives %v", err)
	}
}

// An enquiry that came twice from what may be a program is not confirmed by that, and is
// once a person sends it.
func TestOnlyAPersonConfirmsAnEnquiry(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for n, want := range []string{models.EnquiryUnconfirmed, models.EnquiryUnconfirmed, models.EnquiryNew} {
		f := d.stamped(valid())
		if want == models.EnquiryUnconfirmed { // its work is missing
			f.Stamp = d.contacts.StampAt(time.Now().Add(-time.Minute), time.Now().Add(-time.Minute), 10, false)
		}
		if _, err := d.contacts.Submit(t.Context(), f, "192.0.2.1"); err != nil {
			t.Fatal(err)
		}
		if got := d.only(t).Status; got != want {
			t.Errorf("after %d submissions the enquiry is %s, want %s", n+1, got, want)
		}
	}
}

// With the database alone nobody can tell which address sent an enquiry. It is
// nowhere in clear, and no address of its network has its hash, with
// or without anything that the database holds as the key.
func TestNoAddressCanBeFoundInTheDatabase(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	d := newDeskOn(t, pool)
	if _, err := d.contacts.Submit(t.Context(), d.stamped(valid()), "203.0.113.77"); err != nil {
		t.Fatal(err)
	}
	all, e := dbtest.Dump(t, pool), d.only(t)
	if found := dbtest.Find(all, "203.0.113.77"); found != "" {
		t.Errorf("the address is stored in clear: %s", found)
	}
	keys := [][]byte{nil}
	for _, value := range strings.FieldsFunc(all, func(r rune) bool { return strings.ContainsRune("(),\"{}: \n", r) }) {
		keys = append(keys, []byte(value))
		if raw, err := hex.DecodeString(strings.TrimLeft(value, `\x`)); err == nil && len(raw) > 0 {
			keys = append(keys, raw)
		}
	}
	slices.SortFunc(keys, bytes.Compare)
	keys = slices.CompactFunc(keys, bytes.Equal)
	t.Logf("%d possible keys", len(keys))
	for i := range 256 {
		address := fmt.Sprintf("203.0.113.%d", i)
		for _, key := range keys {
			mac := hmac.New(sha256.New, key)
			mac.Write([]byte(address))
			plain := sha256.Sum256(append(slices.Clone(key), address...))
			if hmac.Equal(mac.Sum(nil), e.ClientHash) || hmac.Equal(plain[:], e.ClientHash) || hmac.Equal(keyring.MAC(key, address), e.ClientHash) {
				t.Fatalf("the hash of %s is found with %q", address, key)
			}
		}
	}
}

// Enquiries of one address can be told to belong together on one day. On the next
// day, or after the encryption key was replaced, they cannot.
func TestTheKeyOfAddressesRotates(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	monday := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	replaced, err := keyring.New([]string{"k2:" + strings.Repeat("B", 43) + "=", "k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	later := contact.New(contact.Options{Keyring: replaced})
	first := d.contacts.ClientHash("203.0.113.77", monday)
	for name, c := range map[string]struct {
		hash []byte
		same bool
	}{
		"the same day":    {d.contacts.ClientHash("203.0.113.77", monday.Add(11*time.Hour)), true},
		"another address": {d.contacts.ClientHash("203.0.113.78", monday), false},
		"the next day":    {d.contacts.ClientHash("203.0.113.77", monday.Add(12*time.Hour)), false},
		"the next year":   {d.contacts.ClientHash("203.0.113.77", monday.AddDate(1, 0, 0)), false},
		"another key":     {later.ClientHash("203.0.113.77", monday), false},
	} {
		if bytes.Equal(first, c.hash) != c.same {
			t.Errorf("%s: the hashes are %x and %x", name, first, c.hash)
		}
	}
}
