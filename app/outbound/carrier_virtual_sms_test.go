package outbound

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVirtualCarrierOfSMS(t *testing.T) {
	t.Parallel()
	usual := []string{"sent", "0s delivered"}
	for _, tt := range []struct {
		recipient, payload string
		want               []string
	}{
		{"919812345678", `{}`, usual},
		{"919812340008", `{}`, []string{"sent", "0s delivered", "0s replied"}},
		{"919812340001", `{}`, []string{"613 Unknown subscriber"}},
		{"919812340002", `{}`, []string{"631 Do-not-disturb"}},
		{"919812340003", `{}`, []string{"sent"}},
		{"919812340004", `{}`, []string{"sent", "0s enroute", "0s undelivered 607"}},
		{"919812340005", `{}`, []string{"sent", "0s enroute", "10s delivered"}},
		{"919812340006", `{}`, []string{"602 Busy, temporary", "602 Busy, temporary", "sent", "0s delivered"}},
		{"919812340007", `{}`, []string{"sent", "0s unknown 699"}},
		{"919812345678", `{"fault":"617"}`, []string{"617 Refused by the DLT registry"}},
		{"919812340003", `{"fault":"625"}`, []string{"625 Refused by the DLT registry"}},
	} {
		if diff := cmp.Diff(tt.want, storySMS(t, tt.recipient, tt.payload)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.recipient, tt.payload, diff)
		}
	}
	if _, err := NewVirtual(nil).Send(t.Context(), Message{Channel: "sms", Payload: []byte("{")}); err == nil {
		t.Error("a payload that is no JSON is accepted")
	}
}

// storySMS sends an SMS until it is accepted or refused for good and follows its
// reports to the end.
func storySMS(t *testing.T, recipient, payload string) (events []string) {
	t.Helper()
	v := NewVirtual(nil)
	for attempt := 1; ; attempt++ {
		receipt, err := v.Send(t.Context(), Message{ID: "msg_1", Channel: "sms", Attempt: attempt, Recipient: recipient, Payload: []byte(payload)})
		var refusal *CarrierError
		switch {
		case errors.As(err, &refusal) && refusal.Temporary:
			events = append(events, fmt.Sprintf("%d %s, temporary", refusal.Code, refusal.Title))
			continue
		case errors.As(err, &refusal):
			return append(events, fmt.Sprintf("%d %s", refusal.Code, refusal.Title))
		case err != nil:
			t.Fatal(err)
		}
		events = append(events, string(receipt.State))
		for state := receipt.State; ; {
			step, ok := v.Next("sms", recipient, state)
			if !ok {
				return events
			}
			event := fmt.Sprint(step.Delay, " ", step.State)
			if step.Error != nil {
				event += fmt.Sprintf(" %d", step.Error.Code)
			}
			events, state = append(events, event), step.State
		}
	}
}
