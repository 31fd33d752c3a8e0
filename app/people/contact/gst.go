package contact

import (
	"regexp"
	"strings"
)

// gstNumber is the form of an Indian goods and services tax identification
// number: two digits of the state, the ten characters of the holder's PAN, the
// number of the registration, a Z (or another letter for special registrations)
// and a check character.
var gstNumber = regexp.MustCompile(`^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][A-Z][0-9A-Z]$`)

// gstAlphabet are the characters in the order of their values.
const gstAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// normaliseGST returns a GST number in upper case without spaces. An empty text is
// no number. problem says what to change.
func normaliseGST(text string) (number, problem string) {
	number = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimSpace(text)))
	switch {
	case number == "":
		return "", ""
	case !gstNumber.MatchString(number):
		return "", "Enter the 15 characters of your GST number, such as 27AAPFU0939F1ZV."
	case number[14] != gstCheck(number[:14]):
		return "", "The check character of this GST number is wrong. Check each character."
	}
	return number, ""
}

// gstCheck returns the check character of the first 14 characters. Values are
// multiplied by 1 and 2 in turn, and the digits of each product in base 36 are
// added up (the Luhn algorithm modulo 36).
func gstCheck(first string) byte {
	sum := 0
	for i := range len(first) {
		product := strings.IndexByte(gstAlphabet, first[i]) * (i%2 + 1)
		sum += product/36 + product%36
	}
	return gstAlphabet[(36-sum%36)%36]
}
