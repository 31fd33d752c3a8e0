// Package otp holds the rules of one-time passwords that the portal's own codes
// and the codes of partners share: how a code is made and read, and when codes to a
// number or to a block of numbers are refused.
package otp

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// Guesses is how many codes are compared for one challenge. The last wrong one
// ends the challenge.
const Guesses = 5

// New returns a random code of up to 18 digits.
func New(digits int) (string, error) {
	n, err := rand.Int(rand.Reader, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	if err != nil {
		return "", fmt.Errorf("making a code: %w", err)
	}
	return fmt.Sprintf("%0*d", digits, n), nil
}

// Parse parses a code that was typed or pasted. It accepts the digits of any
// script with spaces and dashes between them. It reports false for other text.
func Parse(text string, digits int) (string, bool) {
	var code strings.Builder
	for _, r := range text {
		switch digit, ok := decimal(r); {
		case ok && code.Len() < digits:
			code.WriteByte(digit)
		case !unicode.IsSpace(r) && !unicode.Is(unicode.Dash, r) && !unicode.Is(unicode.Cf, r):
			return "", false
		}
	}
	return code.String(), code.Len() == digits
}

// decimal converts a decimal digit of any script to ASCII. The digits of a script
// are ten consecutive characters at a multiple of ten within their range of the
// table.
func decimal(r rune) (byte, bool) {
	for _, table := range unicode.Nd.R16 {
		if lo, hi := rune(table.Lo), rune(table.Hi); lo <= r && r <= hi {
			return '0' + byte((r-lo)%10), true
		}
	}
	for _, table := range unicode.Nd.R32 {
		if lo, hi := rune(table.Lo), rune(table.Hi); lo <= r && r <= hi {
			return '0' + byte((r-lo)%10), true
		}
	}
	return 0, false
}
