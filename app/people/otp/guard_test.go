package otp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/people/otp"
	"heliograph/db/dbtest"
)

// prefixes plays the stored codes of one prefix.
type prefixes struct {
	sent, verified              int
	left                        time.Duration
	asked                       time.Duration // the delay of the count
	blocked                     []otp.Conversion
	errLeft, errCount, errBlock error
}

func (p *prefixes) Left(context.Context, string) (time.Duration, error) { return p.left, p.errLeft }

func (p *prefixes) Count(_ context.Context, _ string, delay time.Duration) (int, int, error) {
	p.asked = delay
	return p.sent, p.verified, p.errCount
}

func (p *prefixes) Block(_ context.Context, c otp.Conversion) error {
	p.blocked = append(p.blocked, c)
	return p.errBlock
}

// newGuard returns a guard with three codes to a number and five to a prefix.
func newGuard(t *testing.T, p *prefixes) otp.Guard {
	t.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	return otp.Guard{
		Limiter: limit.New(dbtest.Tx(t), keys), Blocks: p,
		Number: []limit.Limit{{Name: "minute", Burst: 10, Period: time.Minute}, {Name: "hour", Burst: 3, Period: time.Hour}},
		Prefix: limit.Limit{Name: "prefix", Burst: 5, Period: time.Hour},
	}
}

// A prefix is blocked from 50 codes on of which fewer than 30 of 100 were entered.
func TestPrefixesWithoutEnteredCodesAreBlocked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sent, verified int
		blocked        bool
	}{
		{0, 0, false}, {49, 0, false}, {50, 0, true}, {50, 14, true}, {50, 15, false}, {50, 50, false}, {1000, 299, true}, {1000, 300, false},
	} {
		p := &prefixes{sent: c.sent, verified: c.verified}
		err := newGuard(t, p).Take(t.Context(), "org:1", "+919812345678")
		if (err != nil) != c.blocked || p.asked != 2*time.Minute {
			t.Errorf("%d of %d entered, counted after %s: %v", c.verified, c.sent, p.asked, err)
		}
		if !c.blocked {
			if len(p.blocked) > 0 {
				t.Errorf("%d of %d entered: %v is blocked", c.verified, c.sent, p.blocked)
			}
			continue
		}
		f := fault.As(err)
		if f == nil || f.Kind != fault.Limited || f.Code != "otp_conversion" || f.RetryAfter != time.Hour || len(p.blocked) != 1 || p.blocked[0] != (otp.Conversion{Prefix: "+919812", Sent: c.sent, Verified: c.verified}) {
			t.Errorf("%d of %d entered: %+v, blocked %v", c.verified, c.sent, f, p.blocked)
		}
	}
	p := &prefixes{left: 7 * time.Minute}
	if f := fault.As(newGuard(t, p).Take(t.Context(), "", "+919812345678")); f == nil || f.Code != "otp_conversion" || f.RetryAfter != 7*time.Minute || len(p.blocked) > 0 {
		t.Errorf("a code to a blocked prefix: %+v, blocked %v", f, p.blocked)
	}
}

// A number and its prefix have limits of their own, and each scope has both.
func TestCodesToNumbersAndPrefixesAreLimited(t *testing.T) {
	t.Parallel()
	g := newGuard(t, &prefixes{})
	for i, c := range []struct {
		scope, phone string
		limited      bool
	}{
		{"a", "+919812345678", false}, {"a", "+919812345678", false}, {"a", "+919812345678", false}, {"a", "+919812345678", true}, // the number's third is its last
		{"a", "+919812000001", false}, {"a", "+919812000002", false}, {"a", "+919812000003", true}, // the prefix's fifth is its last
		{"a", "+919813000001", false}, // another prefix
		{"b", "+919812345678", false}, // another scope
		{"b", "+1", false},            // shorter than a prefix
	} {
		err := g.Take(t.Context(), c.scope, c.phone)
		if fault.Is(err, fault.Limited) != c.limited || !c.limited && err != nil {
			t.Errorf("code %d, to %s for %s: %v", i+1, c.phone, c.scope, err)
		}
	}
	g.Prefix.Burst = 0
	if err := g.Take(t.Context(), "a", "+919812000003"); err != nil {
		t.Errorf("without a limit of prefixes: %v", err)
	}
}

// A code that cannot be counted is not sent.
func TestCodesAreRefusedWhileBlocksAreUnknown(t *testing.T) {
	t.Parallel()
	broken := errors.New("the database is away")
	for i, p := range []*prefixes{{errLeft: broken}, {errCount: broken}, {sent: 50, errBlock: broken}} {
		if err := newGuard(t, p).Take(t.Context(), fmt.Sprint(i), "+919812345678"); !errors.Is(err, broken) {
			t.Errorf("case %d: %v", i, err)
		}
	}
}
