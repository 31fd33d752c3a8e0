package pipeline

import "testing"

// A failure leads to the entry of its code, if it has a code that says what to do.
func TestFailuresLeadToTheirEntries(t *testing.T) {
	t.Parallel()
	c := &Channel{Reference: "sms/1.0", Remedy: func(f Failure) string {
		return map[int]string{608: "Send it again."}[f.Code]
	}}
	const unknown = "The carrier gave no further details. If it happens again, contact us (/contact-us on the portal) and include the message id."
	for raw, want := range map[string]Advice{
		`{"code": 608, "reason": "absent"}`: {"Send it again.", "/docs/sms/1.0/errors#error-608"},
		`{"code": 699, "reason": "other"}`:  {Remedy: unknown},
		`{"reason": "none"}`:                {Remedy: unknown},
	} {
		if _, advice, ok := c.ParseFailure([]byte(raw)); !ok || advice != want {
			t.Errorf("%s gives %+v, %t; want %+v", raw, advice, ok, want)
		}
	}
	c.Remedy = func(Failure) string { return "Wait." }
	if _, advice, ok := c.ParseFailure([]byte(`{"reason": "none"}`)); !ok || advice != (Advice{Remedy: "Wait."}) {
		t.Errorf("a failure without a code gives %+v, %t", advice, ok)
	}
	for _, raw := range []string{"", "lamp"} {
		if _, _, ok := c.ParseFailure([]byte(raw)); ok {
			t.Errorf("%q is a failure", raw)
		}
	}
}
