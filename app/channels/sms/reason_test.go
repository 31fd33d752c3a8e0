package sms

import "testing"

func TestStateOfRefusal(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]string{
		407: stateExpired, reasonValidity: stateExpired,
		401: stateRejected, 452: stateRejected, 614: stateRejected, 627: stateRejected, 631: stateRejected, 632: stateRejected, 642: stateRejected,
		reasonUnknown: stateUnknown,
		400:           stateUndelivered, 453: stateUndelivered, 613: stateUndelivered, 628: stateUndelivered, 641: stateUndelivered,
	} {
		if got := stateOfRefusal(code); got != want {
			t.Errorf("an operator's refusal %d leads to %s, want %s", code, got, want)
		}
	}
}
