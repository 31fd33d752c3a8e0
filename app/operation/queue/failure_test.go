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
		strings.Repeat("x", 999) + "éa":                               strings.Repeat("x", 999) + "…", // whole characters only
		"dial redis://asha:pw@cache:6379/0 and mail asha@example.com": "dial redis://…@cache:6379/0 and mail asha@example.com",
		`Get "https://x.example.com/a?key=1": EOF`:                    `Get "https://x.example.com/a?…": EOF`,
	} {
		if got := RedactSecrets(text); got != want || !utf8.ValidString(got) {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// Errors of different jobs for the same reason have the same cause.
func TestCausesLeaveTheJobOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"loading message 0199c2d4-5a70-7000-8000-000000000001: ERROR: could not extend file (SQLSTATE 53100)": "loading message #: ERROR: could not extend file (SQLSTATE #)",
		"message wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSNjY2 is gone":                                              "message # is gone",
		"loading delivery 4711: timeout\ngoroutine 1":                                                         "loading delivery #: timeout",
		"encryption key \"k1\" is not in the keyring":                                                         "encryption key \"k#\" is not in the keyring",
		strings.Repeat("x y ", 100):                                                                           strings.Repeat("x y ", 50) + "…",
	} {
		if got := Cause(text); got != want {
			t.Errorf("the cause of %q is %q, want %q", text, got, want)
		}
	}
}
