package phone

import "testing"

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, region, want, problem string }{
		{text: "+919812345678", want: "+919812345678"},
		{text: " +91 98123-45678 ", want: "+919812345678"},
		{text: "0091 98123 45678", want: "+919812345678"},
		{text: "098123 45678", region: "IN", want: "+919812345678"},
		{text: "+44 7400 123456", want: "+447400123456"},
		{text: "\u202a+91\u00a098765 00001\u202c", want: "+919876500001"},
		{text: "(+91) 98765-00001", want: "+919876500001"},
		{text: "+91\ufe0f 98765\u200b00001", want: "+919876500001"},
		{text: "+1 (201) 555-0123", want: "+12015550123"},
		{text: "98123 45678", problem: "Start the number with + and the country code, such as +91 98123 45678."},
		{text: "", problem: "Enter a mobile number with its country code, such as +91 98123 45678."},
		{text: "+asha", problem: "Enter a mobile number with its country code, such as +91 98123 45678."},
		{text: "+999 98123 45678", problem: "This country code does not exist. Check the digits after the +."},
		{text: "+91 1234", problem: "This number does not exist in its country. Check each digit."},
		{text: "+91 98123 456789", problem: "This number does not exist in its country. Check each digit."},
		{text: "+44 20 7946 0018", problem: "This is not a mobile number. Enter a number that can receive SMS."},
		{text: "+44 909 8790000", problem: "This is not a mobile number. Enter a number that can receive SMS."},
		{text: "+91 98123 45678 ext. 5", problem: "Remove the extension. It cannot be stored with the number."},
	} {
		if got, problem := Parse(tt.text, tt.region); got != tt.want || problem != tt.problem {
			t.Errorf("Parse(%q, %q) = %q, %q, want %q, %q", tt.text, tt.region, got, problem, tt.want, tt.problem)
		}
	}
}

// Whatever is accepted is accepted again, unchanged.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"+919812345678", "0044 7400 123456", "+1 201 555 0123;ext=7", "+٩١٩٨١٢٣٤٥٦٧٨", "tel:+91"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, problem := Parse(text, "")
		if (got == "") == (problem == "") {
			t.Fatalf("Parse(%q) = %q, %q", text, got, problem)
		}
		if again, problem := Parse(got, ""); got != "" && (again != got || problem != "") {
			t.Errorf("Parse(%q) = %q, and of that %q, %q", text, got, again, problem)
		}
	})
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		number string
		places []string
		want   bool
	}{
		{"+919812345678", []string{"IN"}, true},
		{"+919812345678", []string{"AE", "+9198"}, true},
		{"+919812345678", []string{"AE", "+9199"}, false},
		{"+12015550123", []string{"CA"}, false},
		{"+12015550123", []string{"US"}, true},
		{"+8835100012345", []string{"US", "IN"}, false},
		{"+919812345678", nil, false},
	} {
		if got := Within(tt.number, tt.places); got != tt.want {
			t.Errorf("Within(%q, %v) = %t", tt.number, tt.places, got)
		}
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{" in ": "IN", "+9198": "+9198", "AE": "AE"} {
		if got, ok := Place(text); got != want || !ok {
			t.Errorf("Place(%q) = %q, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "+", "+0", "+91a", "India", "XX", "+1234567890123456"} {
		if got, ok := Place(text); ok {
			t.Errorf("Place(%q) = %q", text, got)
		}
	}
}
