package phone

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Plan{
		"919812345678":     {E164: "+919812345678", Region: "IN", Country: "India", Prefix: "91", Line: "mobile"},
		" +91 98123 45678": {E164: "+919812345678", Region: "IN", Country: "India", Prefix: "91", Line: "mobile"},
		"+442079460018":    {E164: "+442079460018", Region: "GB", Country: "United Kingdom", Prefix: "44", Line: "fixed"},
		"+12015550123":     {E164: "+12015550123", Region: "US", Country: "United States", Prefix: "1", Line: "unknown"},
		"+80012345678":     {E164: "+80012345678", Prefix: "800", Line: "toll_free"},
	} {
		got, ok := Describe(text)
		got.Network = "" // of the day's plan
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("Describe(%q): %t %s", text, ok, diff)
		}
	}
	for _, text := range []string{"", "+", "+911234", "0", "+91 98123 45678 ext. 5", "asha", "999999999999999"} {
		if got, ok := Describe(text); ok {
			t.Errorf("Describe(%q) = %+v", text, got)
		}
	}
	if p, _ := Describe("+919812345678"); p.Network == "" {
		t.Error("the network that a mobile number was issued to is missing")
	}
}
