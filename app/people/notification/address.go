package notification

import (
	"net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// NormaliseAddress returns an email address in the form in which it is stored:
// bare, lower case, the domain in ASCII (RFC 5891), at most 254 characters.
// problem says what to change if the text is not a valid address.
func NormaliseAddress(text string) (address, problem string) {
	problem = "Enter an email address such as asha@example.com."
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Name != "" || parsed.Address != text || strings.ContainsFunc(text, isInvisible) {
		return "", problem
	}
	at := strings.LastIndexByte(text, '@')
	domain, err := idna.Lookup.ToASCII(text[at+1:])
	if err != nil {
		return "", problem
	}
	address = strings.ToLower(text[:at] + "@" + domain)
	if len(address) > 254 {
		return "", problem
	}
	return address, ""
}

// isInvisible reports whether a character cannot be seen, so that one address
// could look like another.
func isInvisible(r rune) bool { return !unicode.IsPrint(r) }
