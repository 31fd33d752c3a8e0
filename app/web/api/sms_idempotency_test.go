package api_test

import (
	"strings"
	"testing"

	"heliograph/app/channels/sms"
)

// A key that was used for another request, or that is too long, is the client's
// mistake: it must not be told to send the request again.
func TestSMSIdempotencyKeyThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	submit := func(key string, changes map[string]any) smsAnswer {
		r := p.request(t, changes)
		r.Header.Set("Idempotency-Key", key)
		return p.do(t, r)
	}
	for _, reference := range []any{nil, "parcel-7"} { // with a reference, the request has a transaction of its own
		key := "k"
		changes := map[string]any{}
		if reference != nil {
			key, changes["cust_ref"] = "k2", reference
		}
		if a := submit(key, changes); a.Status.Code != sms.CodeAccepted {
			t.Fatal(a.text)
		}
		changes["dest"] = "9812345679"
		if a := submit(key, changes); a.status != 200 || a.Status.Code != sms.CodeBadRequest || !strings.Contains(a.Status.Desc, "already used for a different request") {
			t.Errorf("another request: %d %s", a.status, a.text)
		}
	}
	if a := submit(strings.Repeat("k", 256), nil); a.status != 200 || a.Status.Code != sms.CodeBadRequest || !strings.Contains(a.Status.Desc, "at most 255") {
		t.Errorf("a long key: %d %s", a.status, a.text)
	}
	if strings.Contains(p.log.String(), `"level":"ERROR"`) {
		t.Error("a client's mistake is logged as an error")
	}
}
