package notification_test

import (
	"strings"
	"testing"

	"heliograph/app/people/notification"
)

// Addresses are stored in one form, so that one mailbox has one account.
func TestAddressesHaveOneForm(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 60) + "@" + strings.Repeat(strings.Repeat("b", 62)+".", 3)
	for in, want := range map[string]string{
		"asha@example.com": "asha@example.com", " Asha@Example.COM\n": "asha@example.com", "asha+sms@example.com": "asha+sms@example.com",
		"asha@bücher.example": "asha@xn--bcher-kva.example", "asha@xn--bcher-kva.example": "asha@xn--bcher-kva.example",
		long + "comm": long + "comm", long + "commm": "", // 254 and 255 characters
		"": "", "asha": "", "@example.com": "", "asha@": "", "Asha <asha@example.com>": "", "<asha@example.com>": "", "asha@example.com, ben@example.com": "",
		"asha@exa mple.com": "", "as\u200bha@example.com": "", "asha@exam\u00adple.com": "", "asha@-example.com": "", "asha@example..com": "",
	} {
		got, problem := notification.NormaliseAddress(in)
		if got != want || (problem == "") != (want != "") {
			t.Errorf("%q is stored as %q with the problem %q, want %q", in, got, problem, want)
		}
	}
}
