package otp_test

import (
	"strings"
	"testing"

	"heliograph/app/people/otp"
)

func TestNew(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, digits := range []int{4, 6, 9} {
		for range 50 {
			code, err := otp.New(digits)
			if again, ok := otp.Parse(code, digits); err != nil || !ok || again != code {
				t.Fatalf("a code of %d digits is %q, %v", digits, code, err)
			}
			seen[code] = true
		}
	}
	if len(seen) < 140 {
		t.Errorf("150 codes are only %d different ones", len(seen))
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"481926": "481926", " 481 926\n": "481926", "481-926": "481926", "4 8 1 – 9 2 6": "481926", "\u200b481926": "481926",
		"٤٨١٩٢٦": "481926", "४८१९२६": "481926", "𝟜𝟠𝟙𝟡𝟚𝟞": "481926", "４８１９２６": "481926",
		"": "", "48192": "", "4819266": "", "48192a": "", "4.81926": "", "½48192": "",
	} {
		if got, ok := otp.Parse(in, 6); ok != (want != "") || ok && got != want {
			t.Errorf("Parse(%q) = %q, %t", in, got, ok)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"481926", "481 926", "४८१-९२६", "\xff", "𝟜𝟠𝟙𝟡𝟚𝟞"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		code, ok := otp.Parse(text, 6)
		if !ok {
			return
		}
		if len(code) != 6 || strings.Trim(code, "0123456789") != "" {
			t.Errorf("Parse(%q) = %q", text, code)
		}
		if again, ok := otp.Parse(code[:3]+" "+code[3:], 6); !ok || again != code {
			t.Errorf("%q reads itself as %q", code, again)
		}
	})
}
