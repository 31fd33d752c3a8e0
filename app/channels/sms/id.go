package sms

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"strings"

	"github.com/google/uuid"
)

// idLength is the length of a message id: 25 digits to base 36 hold 128 bits.
const idLength = 25

// MessageID returns the public id of a message.
func MessageID(id uuid.UUID) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	high, low := binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(id[8:])
	var text [idLength]byte
	for i := range text {
		var digit uint64
		high, digit = high/36, high%36
		low, digit = bits.Div64(digit, low, 36)
		text[idLength-1-i] = digits[digit]
	}
	return string(text[:])
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
