package messaging_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/documentation/openapi/codetest"
	"heliograph/app/fault"
	"heliograph/db"
)

// limited makes a second service over the same database, as another process
// would be.
func (b *bundle) limited(t *testing.T, rates messaging.Rates) *messaging.Service {
	t.Helper()
	options := b.options
	options.Rates, options.Listener = rates, db.NewListener(b.pool)
	return messaging.New(options)
}

func TestANumberSendsAtItsRateAcrossProcesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rates := messaging.Rates{Sandbox: messaging.SendRates{Phone: 10}, Live: messaging.SendRates{Phone: 1}}
	processes := []*messaging.Service{b.limited(t, rates), b.limited(t, rates)}
	var sent, refused atomic.Int64
	start := time.Now()
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			_, err := processes[i%2].Sender.Send(t.Context(), b.number, []byte(hello), "")
			switch f := fault.As(err); {
			case err == nil:
				sent.Add(1)
			case f != nil && f.Code == "130429" && f.RetryAfter > 0:
				refused.Add(1)
				codetest.Note(t, "messaging", f.Code, "60 messages at once from a number that sends 10 a second")
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	most := 10 + int64(10*time.Since(start).Seconds()) + 1
	if sent.Load() < 10 || sent.Load() > most || sent.Load()+refused.Load() != 60 {
		t.Errorf("%d sent and %d refused, want 10 to %d sent", sent.Load(), refused.Load(), most)
	}
}

func TestARecipientGetsABurstAndThenAPause(t *testing.T) {
	t.Parallel()
	b := setup(t)
	service := b.limited(t, messaging.Rates{Sandbox: messaging.SendRates{Pair: time.Hour}})
	for i := range 45 {
		if _, err := service.Sender.Send(t.Context(), b.number, []byte(hello), ""); err != nil {
			t.Fatalf("message %d: %v", i+1, err)
		}
	}
	_, err := service.Sender.Send(t.Context(), b.number, []byte(hello), "")
	if f := fault.As(err); f == nil || f.Code != "131056" || f.RetryAfter < time.Minute {
		t.Errorf("message 46: %v, want code 131056 and a pause", err)
	} else {
		codetest.Note(t, "messaging", f.Code, "46 messages to one recipient")
	}
	if _, err := service.Sender.Send(t.Context(), b.number, []byte(strings.Replace(hello, "45678", "45679", 1)), ""); err != nil {
		t.Errorf("another recipient: %v", err)
	}
}

// Live numbers have other rates than sandboxes.
func TestLiveNumbersHaveTheirOwnRates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	service := b.limited(t, messaging.Rates{Live: messaging.SendRates{Phone: 1, Pair: time.Hour}})
	for i := range 50 {
		if _, err := service.Sender.Send(t.Context(), b.number, []byte(hello), ""); err != nil {
			t.Fatalf("message %d of a sandbox: %v", i+1, err)
		}
	}
	live := b.number
	live.Sandbox = false
	for range 2 {
		_, _ = service.Sender.Send(t.Context(), live, []byte(hello), "")
	}
	if _, err := service.Sender.Send(t.Context(), live, []byte(hello), ""); fault.As(err) == nil || fault.As(err).Code != "130429" {
		t.Errorf("a live number over its rate: %v, want code 130429", err)
	}
}

func TestOperationsHaveRates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	service := b.limited(t, messaging.Rates{Management: 2, Templates: 1, Catalogue: 1})
	for _, tt := range []struct {
		rate string
		free int
		code string
	}{{messaging.RateManagement, 2, "80007"}, {messaging.RateTemplates, 1, "80007"}, {messaging.RateCatalogue, 1, "80014"}} {
		for range tt.free {
			if err := service.Limits.Throttle(t.Context(), tt.rate, "1"); err != nil {
				t.Errorf("%s: %v", tt.rate, err)
			}
		}
		if f := fault.As(service.Limits.Throttle(t.Context(), tt.rate, "1")); f == nil || f.Code != tt.code || f.Kind != fault.Limited {
			t.Errorf("%s over its rate: %v, want code %s", tt.rate, f, tt.code)
		} else {
			codetest.Note(t, "messaging", f.Code, "requests over the rate of "+tt.rate)
		}
		if err := service.Limits.Throttle(t.Context(), tt.rate, "2"); err != nil {
			t.Errorf("%s for another: %v", tt.rate, err)
		}
		if err := b.service.Limits.Throttle(t.Context(), tt.rate, "1"); err != nil {
			t.Errorf("%s without a limit: %v", tt.rate, err)
		}
	}
}
