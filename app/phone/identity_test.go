package phone_test

import (
	"strings"
	"testing"

	"heliograph/app/phone"
)

// A user id is no number, and the id of linked portfolios is not the id of a person.
func TestUserIDs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ user, parent bool }{
		"IN.13491208655302741918":        {true, false},
		"IN.ENT.506847293015824":         {true, true},
		"IN.ENT5":                        {true, false},
		"IN.a":                           {true, false},
		"IN." + strings.Repeat("a", 128): {true, false},
		"IN." + strings.Repeat("a", 129): {false, false},
		"IN.ENT.":                        {false, false},
		"in.1349":                        {false, false},
		"919812345678":                   {false, false},
		"":                               {false, false},
	} {
		if got := phone.IsUserID(text); got != want.user {
			t.Errorf("IsUserID(%q) = %t", text, got)
		}
		if got := phone.IsParentID(text); got != want.parent {
			t.Errorf("IsParentID(%q) = %t", text, got)
		}
	}
}

// Pages show numbers with a plus sign, and everything else as it is.
func TestShow(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{"919812345678": "+919812345678", "IN.1349": "IN.1349", "": ""} {
		if got := phone.Show(stored); got != want {
			t.Errorf("Show(%q) = %q, want %q", stored, got, want)
		}
	}
}

// What somebody types into a search is read as stored recipients begin.
func TestBeginning(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" +91 98123 ": "9198123", "0091 98123": "9198123", "98123": "98123", "IN.": "IN.", "IN.ENT.50": "IN.ENT.50", strings.Repeat("1", 32): strings.Repeat("1", 32),
	} {
		if got, ok := phone.Beginning(text); got != want || !ok {
			t.Errorf("Beginning(%q) = %q, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "+", "asha", "I", strings.Repeat("1", 33)} {
		if got, ok := phone.Beginning(text); ok {
			t.Errorf("Beginning(%q) = %q", text, got)
		}
	}
}

// The number of an office is a number, and a problem does not ask for a mobile one.
func TestParseAny(t *testing.T) {
	t.Parallel()
	if got, problem := phone.ParseAny("+44 20 7946 0018"); got != "+442079460018" || problem != "" {
		t.Errorf("an office gives %q, %q", got, problem)
	}
	if got, problem := phone.ParseAny(""); got != "" || !strings.HasPrefix(problem, "Enter a phone number") {
		t.Errorf("nothing gives %q, %q", got, problem)
	}
}

func TestExists(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]bool{
		"442079460018": true, "919812345678": true, "916000000000": true, "915999999999": false, "91981234567": false, "9198123456789": false,
		"29023456": true, "2902": false, "29022": false, "2472345678901234": false, "44207946001x": false, "": false, "999123456": false,
	} {
		if got := phone.Exists(digits); got != want {
			t.Errorf("Exists(%q) = %t", digits, got)
		}
	}
}

// The first and the last that are allowed are.
func TestEdgesOfNumbers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"916000000000", "+4368012345678"} {
		if got, ok := phone.NewRecipient(text, 0); !ok {
			t.Errorf("%s is refused: %+v", text, got)
		}
	}
	if got, ok := phone.NewRecipient("915999999999", 0); ok {
		t.Errorf("a number of India that is not mobile gives %+v", got)
	}
	for _, text := range []string{"+9", "+123456789012345"} {
		if got, ok := phone.Place(text); got != text || !ok {
			t.Errorf("Place(%q) = %q, %t", text, got, ok)
		}
	}
}
