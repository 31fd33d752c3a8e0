package sms

import (
	"math/big"
	"strings"

	"github.com/google/uuid"
)

// idLength is the length of a message id: 25 digits to base 36 hold 128 bits.
const idLength = 25

// MessageID returns the public id of a message.
func MessageID(id uuid.UUID) string {
	text := new(big.Int).SetBytes(id[:]).Text(36)
	return strings.Repeat("0", idLength-len(text)) + text
}

// ParseMessageID returns the message that a public id names.
func ParseMessageID(text string) (id uuid.UUID, ok bool) {
	if len(text) != idLength {
		return id, false
	}
	n, ok := new(big.Int).SetString(strings.ToLower(text), 36)
	if !ok || n.Sign() < 0 || n.BitLen() > 128 {
		return id, false
	}
	n.FillBytes(id[:])
	return id, true
}
