package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// A number that cannot exist is refused, as the other channels do. The commonest
// mistake is an Indian number without its country code.
func TestMessagesToNumbersThatCannotExist(t *testing.T) {
	t.Parallel()
	p, _ := setup(t)
	send := func(to string) answer {
		return p.call(t, http.MethodPost, p.number("/messages"), `{"messaging_product":"msgapp","to":"`+to+`","text":{"body":"x"}}`)
	}
	for _, to := range []string{"9812345678", "+9812345678", "911234567890", "00000000000", "999999999999", "91981234567", "9198123456789"} {
		if a := send(to); a.status != 400 || a.code(t) != 131009 || !strings.Contains(string(a.body), strings.TrimPrefix(to, "+")) {
			t.Errorf("to %s: %d %s", to, a.status, a.body)
		}
	}
	if a := send("9812345678"); !strings.Contains(string(a.body), "919812345678") {
		t.Errorf("the answer does not suggest the country code: %s", a.body)
	}
	for _, to := range []string{"919812345678", "+91 98123-45678", "447911123456", "12015550123", "+442079460018", "5511961234567"} {
		if a := send(to); a.status != 200 && a.code(t) != 131047 {
			t.Errorf("to %s: %d %s", to, a.status, a.body)
		}
	}
}
