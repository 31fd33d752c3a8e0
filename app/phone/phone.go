// Package phone reads telephone numbers as people write them. It is the only
// place that knows numbering plans; it dials and stores nothing.
package phone

import (
	"errors"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Parse reads a mobile number and gives it in E.164, such as +919812345678.
// region, an ISO 3166-1 alpha-2 code, is where numbers without a country code
// belong; empty accepts international numbers only. problem says what to enter
// instead when the text is not a mobile number that can exist. In countries
// whose plan does not tell mobile numbers from others, both are accepted.
func Parse(text, region string) (e164, problem string) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "00") {
		text = "+" + text[2:]
	}
	if text == "" {
		return "", "Enter a mobile number with its country code, such as +91 98123 45678."
	}
	if region == "" && !strings.HasPrefix(text, "+") {
		return "", "Begin the number with + and the country code, such as +91 98123 45678."
	}
	n, err := phonenumbers.Parse(text, region)
	switch {
	case errors.Is(err, phonenumbers.ErrInvalidCountryCode):
		return "", "There is no such country code: check the digits after the +."
	case err != nil:
		return "", "Enter a mobile number with its country code, such as +91 98123 45678."
	case n.GetExtension() != "":
		return "", "Leave the extension out: only a mobile number can receive a code."
	case !phonenumbers.IsValidNumber(n):
		return "", "This number does not exist in its country: check each digit."
	}
	switch phonenumbers.GetNumberType(n) {
	case phonenumbers.MOBILE, phonenumbers.FIXED_LINE_OR_MOBILE:
	default:
		return "", "This is not a mobile number: enter one that receives SMS."
	}
	return phonenumbers.Format(n, phonenumbers.E164), ""
}

// Format writes a number in E.164 as people read it, such as +91 98123 45678.
func Format(e164 string) string {
	n, err := phonenumbers.Parse(e164, "")
	if err != nil {
		return e164
	}
	return phonenumbers.Format(n, phonenumbers.INTERNATIONAL)
}

// Region returns the country of a number in E.164 as an ISO 3166-1 alpha-2
// code, or nothing for numbers of no country.
func Region(e164 string) string {
	n, err := phonenumbers.Parse(e164, "")
	if err != nil {
		return ""
	}
	if region := phonenumbers.GetRegionCodeForNumber(n); region != "001" {
		return region
	}
	return ""
}

// Within reports whether a number in E.164 belongs to one of the countries
// (ISO 3166-1 alpha-2) or prefixes (+ and digits).
func Within(e164 string, places []string) bool {
	region := Region(e164)
	return slices.ContainsFunc(places, func(place string) bool {
		if strings.HasPrefix(place, "+") {
			return strings.HasPrefix(e164, place)
		}
		return region != "" && place == region
	})
}

// Place reads a country code or a prefix as Within takes them: in upper case,
// without spaces. It reports false for what is neither.
func Place(text string) (string, bool) {
	place := strings.ToUpper(strings.TrimSpace(text))
	digits, prefix := strings.CutPrefix(place, "+")
	if prefix {
		ok := len(digits) >= 1 && len(digits) <= 15 && digits[0] != '0' && strings.Trim(digits, "0123456789") == ""
		return place, ok
	}
	return place, phonenumbers.GetSupportedRegions()[place]
}
