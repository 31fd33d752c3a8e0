package sms

import (
	"encoding/json"
	"testing"

	"heliograph/app/channels/blocklist"
	"heliograph/db/models"
)

// Whoever answered STOP gets no messages but the codes that they ask for.
func TestSuppressedSMS(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		code   string
		reason blocklist.Reason
		want   bool
		failed int
	}{
		{"a message after STOP", "", blocklist.Stopped, true, reasonNoPromotion},
		{"a one-time password after STOP", "402193", blocklist.Stopped, false, 0},
		{"a one-time password to a barred number", "402193", blocklist.Barred, true, reasonBarred},
	} {
		payload, err := json.Marshal(Payload{Code: c.code})
		if err != nil {
			t.Fatal(err)
		}
		state, failure, got := suppressed(models.Message{Payload: payload}, c.reason)
		if got != c.want || got && (state != stateRejected || failure.Code != c.failed || failure.Title == "") {
			t.Errorf("%s is %s with %+v, %t; want %t with %d", c.name, state, failure, got, c.want, c.failed)
		}
	}
}
