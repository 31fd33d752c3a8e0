// Package phone parses and formats phone numbers. It is the only package that
// knows numbering plans.
package phone

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// Parse parses a mobile number and returns it in E.164, such as +919812345678.
// region is the country of numbers without a country code, as an ISO 3166-1
// alpha-2 code. If it is empty, only international numbers are accepted. problem
// says what to enter instead if the text is not a possible mobile number. In
// countries with a plan that does not distinguish mobile numbers, all are accepted.
func Parse(text, region string) (e164, problem string) {
	n, problem := parse(text, region)
	if problem != "" {
		return "", problem
	}
	switch phonenumbers.GetNumberType(n) {
	case phonenumbers.MOBILE, phonenumbers.FIXED_LINE_OR_MOBILE:
	default:
		return "", "This is not a mobile number. Enter a number that can receive SMS."
	}
	return phonenumbers.Format(n, phonenumbers.E164), ""
}

// ParseAny parses an international number of any kind, such as the number of an office,
// and returns it in E.164. problem says what to enter instead.
func ParseAny(text string) (e164, problem string) {
	n, problem := parse(text, "")
	if problem != "" {
		return "", strings.Replace(problem, "a mobile number", "a phone number", 1)
	}
	return phonenumbers.Format(n, phonenumbers.E164), ""
}

// visible drops what people paste with a number and do not see, and the brackets around
// its country code.
func visible(r rune) rune {
	switch {
	case unicode.Is(unicode.Cf, r), r >= 0xfe00 && r <= 0xfe0f, r == '(', r == ')':
		return -1
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

// parse parses a number that exists in its country. Extensions are refused.
func parse(text, region string) (n *phonenumbers.PhoneNumber, problem string) {
	text = strings.TrimSpace(strings.Map(visible, text))
	if strings.HasPrefix(text, "00") {
		text = "+" + text[2:]
	}
	if text == "" {
		return nil, "Enter a mobile number with its country code, such as +91 98123 45678."
	}
	if region == "" && !strings.HasPrefix(text, "+") {
		return nil, "Start the number with + and the country code, such as +91 98123 45678."
	}
	n, err := phonenumbers.Parse(text, region)
	switch {
	case errors.Is(err, phonenumbers.ErrInvalidCountryCode):
		return nil, "This country code does not exist. Check the digits after the +."
	case err != nil:
		return nil, "Enter a mobile number with its country code, such as +91 98123 45678."
	case n.GetExtension() != "":
		return nil, "Remove the extension. It cannot be stored with the number."
	case !phonenumbers.IsValidNumber(n):
		return nil, "This number does not exist in its country. Check each digit."
	}
	return n, ""
}

// Format returns a number in E.164 with spaces, such as +91 98123 45678.
func Format(e164 string) string {
	n, err := phonenumbers.Parse(e164, "")
	if err != nil {
		return e164
	}
	return phonenumbers.Format(n, phonenumbers.INTERNATIONAL)
}

// Region returns the country of a number in E.164 as an ISO 3166-1 alpha-2
// code, or an empty string for numbers of no country.
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

// Place normalises a country code or a prefix for Within: in upper case, without
// spaces. It reports false for any other text.
func Place(text string) (string, bool) {
	place := strings.ToUpper(strings.TrimSpace(text))
	digits, prefix := strings.CutPrefix(place, "+")
	if prefix {
		ok := len(digits) >= 1 && len(digits) <= 15 && digits[0] != '0' && strings.Trim(digits, "0123456789") == ""
		return place, ok
	}
	return place, phonenumbers.GetSupportedRegions()[place]
}
