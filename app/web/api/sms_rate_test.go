package api_test

import (
	"testing"

	"heliograph/app/channels/sms"
)

// Too many submissions are refused with the published code and the time to wait.
// Replays and refused submissions do not count.
func TestSMSSubmissionsHaveARate(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	p.service.Rates = sms.Rates{Live: 1}
	for range 3 {
		if a := p.submit(t, nil); a.Status.Code != sms.CodeAccepted {
			t.Fatalf("a sandbox has the rate of live senders: %s", a.text)
		}
	}
	p.service.Rates = sms.Rates{Sandbox: 2}
	if a := p.submit(t, map[string]any{"header": "NOBODY"}); a.Status.Code != sms.CodeHeader {
		t.Fatalf("a wrong header: %s", a.text)
	}
	accepted := 0
	for range 20 {
		r := p.request(t, nil)
		r.Header.Set("Idempotency-Key", "the same")
		if a := p.send(t, r); a.Status.Code != sms.CodeAccepted {
			t.Fatalf("a replay: %s", a.text)
		}
	}
	var last smsAnswer
	for range 50 { // more come within the second on no machine
		if last = p.submit(t, nil); last.Status.Code != sms.CodeAccepted {
			break
		}
		accepted++
	}
	if accepted == 0 || last.status != 429 || last.Status.Code != sms.CodeAccess || last.header.Get("Retry-After") == "" {
		t.Errorf("after %d: %d %v %s", accepted, last.status, last.header, last.text)
	}
}
