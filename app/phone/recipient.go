package phone

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Recipient is a number that a message can be sent to.
type Recipient struct {
	Digits  string // E.164 without the plus sign
	Country int    // calling code
}

// NewRecipient reads a number of 5 to 15 digits as programs write it: with a plus
// sign, with 00, with the country code alone, or, if country is not 0, without a
// country code. Spaces, hyphens, dots and brackets are ignored. It reports false
// for a number that its country's plan does not allow; numbers of India must be
// mobile.
func NewRecipient(text string, country int) (Recipient, bool) {
	digits, international := bare(text)
	if !international && country != 0 {
		national := strings.TrimLeft(digits, "0")
		if r, ok := recipient(strconv.Itoa(country) + national); ok && r.Country == country {
			return r, true
		}
	}
	return recipient(digits)
}

// Exists reports whether digits with a country code can be a number of any kind, such
// as the number of an office, in the plan of their country. Numbers of India must be mobile.
func Exists(digits string) bool {
	if !isDigits(digits) || len(digits) < 5 || len(digits) > 15 {
		return false
	}
	if national, ok := strings.CutPrefix(digits, "91"); ok {
		return len(national) == 10 && national[0] >= '6' // numbers of India must be mobile
	}
	n, err := phonenumbers.Parse("+"+digits, "")
	return err == nil && phonenumbers.IsValidNumber(n)
}

// CallingCode reports whether a country calling code is assigned.
func CallingCode(code int) bool {
	return len(phonenumbers.GetRegionCodesForCountryCode(code)) > 0
}

// bare returns the digits of a number, or nothing if it has other characters.
// international tells whether a plus sign or 00 came first.
func bare(text string) (digits string, international bool) {
	if digits, international = strings.CutPrefix(strings.TrimSpace(text), "+"); !international {
		digits, international = strings.CutPrefix(digits, "00")
	}
	if isDigits(digits) {
		return digits, international
	}
	digits = separators.Replace(digits)
	if !isDigits(digits) {
		return "", false
	}
	return digits, international
}

// separators removes what people write between digits.
var separators = strings.NewReplacer(" ", "", "-", "", ".", "", "(", "", ")", "")

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

const india = 91

// recipient checks digits with a country code.
func recipient(digits string) (Recipient, bool) {
	if len(digits) < 5 || len(digits) > 15 {
		return Recipient{}, false
	}
	if national, ok := strings.CutPrefix(digits, "91"); ok {
		return Recipient{Digits: digits, Country: india}, len(national) == 10 && national[0] >= '6'
	}
	n, err := phonenumbers.Parse("+"+digits, "")
	if err != nil || !phonenumbers.IsValidNumber(n) {
		return Recipient{}, false
	}
	switch phonenumbers.GetNumberType(n) {
	case phonenumbers.FIXED_LINE, phonenumbers.TOLL_FREE, phonenumbers.PREMIUM_RATE, phonenumbers.SHARED_COST, phonenumbers.UAN, phonenumbers.VOICEMAIL:
		return Recipient{}, false
	}
	return Recipient{Digits: phonenumbers.Format(n, phonenumbers.E164)[1:], Country: int(n.GetCountryCode())}, true
}
