package phone

import (
	"regexp"
	"strings"
)

// People on the messaging channel may have a user id instead of a number that is known.
// It is stored and sent back as it came. Numbers begin with a digit and ids with a
// letter.
var (
	userID    = regexp.MustCompile(`^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$`)
	beginning = regexp.MustCompile(`^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{0,128}$`)
)

// IsUserID reports whether a text is the user id of a person.
func IsUserID(text string) bool { return userID.MatchString(text) }

// IsParentID reports whether a text is a user id of linked portfolios.
func IsParentID(text string) bool { return IsUserID(text) && text[3:min(7, len(text))] == "ENT." }

// Show returns a stored recipient as pages show it: a number with a plus sign, a user id
// as it is.
func Show(recipient string) string {
	if recipient == "" || recipient[0] > '9' {
		return recipient
	}
	return "+" + recipient
}

// Beginning reads what somebody looks for as stored recipients begin: the digits of a
// number, which may be written with a plus sign or 00, or a part of a user id. It
// reports false for any other text.
func Beginning(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if beginning.MatchString(text) {
		return text, true
	}
	digits, _ := bare(text)
	return digits, digits != "" && len(digits) <= 32
}
