package queue

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFailuresAreShort(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		strings.Repeat("x", 1000):                                     strings.Repeat("x", 1000),
		strings.Repeat("x", 1001):                                     strings.Repeat("x", 1000) + "…",
		strings.Repeat("x", 999) + "éa":                               strings.Repeat("x", 999) + "…", // not half a letter
		"dial redis://asha:pw@cache:6379/0 and mail asha@example.com": "dial redis://…@cache:6379/0 and mail asha@example.com",
		`Get "https://x.example.com/a?key=1": EOF`:                    `Get "https://x.example.com/a?…": EOF`,
	} {
		if got := redactSecrets(text); got != want || !utf8.ValidString(got) {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
