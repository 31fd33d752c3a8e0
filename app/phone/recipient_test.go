package phone_test

import (
	"testing"

	"heliograph/app/phone"
)

func TestNewRecipient(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text    string
		country int
		want    string // empty for refused
		code    int
	}{
		{"9812345678", 91, "919812345678", 91},
		{"919812345678", 91, "919812345678", 91}, // the country is there already
		{"+919812345678", 91, "919812345678", 91},
		{"00919812345678", 0, "919812345678", 91},
		{"919812345678", 0, "919812345678", 91},
		{"09812345678", 91, "919812345678", 91}, // trunk prefix
		{"9198765432", 91, "919198765432", 91},  // starts like the country
		{"+91 98123-45678", 0, "919812345678", 91},
		{"+447911123456", 91, "447911123456", 44},
		{"447911123456", 0, "447911123456", 44},
		{"7911123456", 44, "447911123456", 44},
		{"9112345", 0, "", 0},
		{"911234567890", 0, "", 0}, // Indian mobiles start with 6 to 9
		{"9812345678", 0, "", 0},
		{"+442079460000", 0, "", 0}, // a fixed line
		{"1234", 0, "", 0},
		{"12345678901234567", 0, "", 0},
		{"", 91, "", 0},
		{"98123x5678", 91, "", 0},
		{"+", 91, "", 0},
		{"٩٨١٢٣٤٥٦٧٨", 91, "", 0},
		{"98123 45678 ext 3", 91, "", 0},
	} {
		got, ok := phone.NewRecipient(tt.text, tt.country)
		if ok != (tt.want != "") || ok && (got.Digits != tt.want || got.Country != tt.code) {
			t.Errorf("NewRecipient(%q, %d) = %+v, %v; want %q", tt.text, tt.country, got, ok, tt.want)
		}
	}
	if !phone.CallingCode(91) || !phone.CallingCode(1) || phone.CallingCode(999) || phone.CallingCode(0) {
		t.Error("CallingCode knows other codes than those assigned")
	}
}
