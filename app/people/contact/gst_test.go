package contact

import "testing"

// A number is stored in one form, and a mistyped character is noticed.
func TestGSTNumbersAreChecked(t *testing.T) {
	t.Parallel()
	const valid = "27AAPFU0939F1ZV"
	for in, want := range map[string]string{
		"": "", "  ": "", valid: valid, " 27aapfu0939f1zv ": valid, "27-AAPFU-0939F-1ZV": valid, "27 AAPFU0939F 1ZV": valid,
	} {
		if got, problem := normaliseGST(in); got != want || problem != "" {
			t.Errorf("%q is stored as %q: %s", in, got, problem)
		}
	}
	for _, wrong := range []string{
		"27AAPFU0939F1Z", valid + "V", "27AAPFU0939F0ZV", "2AAAPFU0939F1ZV", "27AAPF00939F1ZV", "27AAPFU0939F11V", "२७AAPFU0939F1ZV", "none",
	} {
		if got, problem := normaliseGST(wrong); got != "" || problem == "" {
			t.Errorf("%q is stored as %q", wrong, got)
		}
	}
	for i := range valid {
		for _, c := range []byte(gstAlphabet) {
			changed := valid[:i] + string(c) + valid[i+1:]
			if got, problem := normaliseGST(changed); c != valid[i] && (got != "" || problem == "") {
				t.Errorf("%q, which differs in one character, is stored as %q", changed, got)
			}
		}
	}
}
